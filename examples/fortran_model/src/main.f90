!> A miniature of an atmospheric model, first by its own Fortran, then with stencils in the place of its kernels.
!>
!>     fortran_model [NAMELIST]
!>
!> The stencils are verified with the model's own Fortran as the judge: as it is, and with an error planted in it. Then
!> they take over, in one thread and in several.
program fortran_model
  use, intrinsic :: iso_fortran_env, only: output_unit
  use omp_lib, only: omp_get_max_threads
  use block_grid, only: block_grid_t, HALO
  use components, only: components_t
  use model_config, only: model_config_t, planted_error_t, read_config
  use model_state, only: is_same, model_state_t
  use own_components, only: own_components_t
  use report, only: print_agreement, print_copies, print_grid, print_planted, print_times, print_verifications
  use stencil_components, only: stencil_components_t
  use time_loop, only: run_model, timings_t
  use verified_components, only: verification_t, verified_components_t, VERTICAL_DIFFUSION
  implicit none (type, external)

  type(model_config_t) :: config
  type(block_grid_t) :: grid

  config = read_config(argument())
  grid = checked_grid()
  call print_grid(grid, config)
  call verify()
  call plant_and_find()
  call run_and_compare()

contains

  !> The name of the namelist, if one is given.
  function argument() result(text)
    character(:), allocatable :: text

    integer :: length

    call get_command_argument(1, length=length)
    allocate (character(length) :: text)
    if (length > 0) call get_command_argument(1, text)
  end function argument

  !> The grid, large enough for the stencils and for the planted error.
  function checked_grid() result(grid)
    type(block_grid_t) :: grid

    if (min(config%nx, config%ny) < HALO .or. config%nlev < 2 .or. config%nproma < 1) error stop 'the grid is too small'
    grid = block_grid_t(config%nx, config%ny, config%nlev, config%nproma)
    associate (planted => config%planted)
      if (.not. grid%has_point(planted%column, planted%level, planted%block) .or. planted%step > config%steps) &
        error stop 'the error is planted nowhere'
    end associate
  end function checked_grid

  !> The stencils compute what the model's own Fortran computes.
  subroutine verify()
    type(verified_components_t) :: verified
    type(timings_t) :: timings
    integer :: n

    call run_from_start(verified, timings)
    call print_verifications(verified%verifications)
    call print_copies(verified%verifications)
    do n = 1, size(verified%verifications)
      if (verified%verifications(n)%metrics%failures() > 0) error stop 'the stencils differ from the model'
    end do
  end subroutine verify

  !> One wrong point in the results of the model is found, in its place and nowhere else.
  subroutine plant_and_find()
    type(verified_components_t) :: verified
    type(timings_t) :: timings

    verified%planted = config%planted
    call run_from_start(verified, timings)
    call print_planted(config%planted, verified%verifications)
    if (.not. is_found(config%planted, verified%verifications)) error stop 'the planted error is not found'
  end subroutine plant_and_find

  pure logical function is_found(planted, verifications)
    type(planted_error_t), intent(in) :: planted
    type(verification_t), intent(in) :: verifications(:)

    integer :: n, field

    is_found = sum([(verifications(n)%metrics%failures(), n=1, size(verifications))]) == 1
    associate (metrics => verifications(VERTICAL_DIFFUSION)%metrics)
      do field = 1, size(metrics%fields)
        associate (found => metrics%fields(field))
          if (found%failures > 0) is_found = is_found &
            .and. all(found%first == [planted%column, planted%block, planted%level])
        end associate
      end do
    end associate
  end function is_found

  !> Threads change nothing; the times of all.
  subroutine run_and_compare()
    character(18), parameter :: TITLES(4) = [character(18) :: &
      'own Fortran', 'stencils', 'own, threads', 'stencils, threads']
    type(own_components_t) :: own
    type(stencil_components_t) :: stencils
    type(model_state_t) :: states(4)
    type(timings_t) :: timings(4)
    integer :: threads

    threads = max(2, omp_get_max_threads())
    call run_from_start(own, timings(1), states(1))
    call run_from_start(stencils, timings(2), states(2))
    own%threads = threads
    stencils%threads = threads
    call run_from_start(own, timings(3), states(3))
    call run_from_start(stencils, timings(4), states(4))

    call print_times(TITLES, timings)
    write (output_unit, '()')
    call print_agreement('own Fortran', is_same(states(1), states(3)), threads)
    call print_agreement('stencils', is_same(states(2), states(4)), threads)
    if (.not. is_same(states(2), states(4))) error stop 'threads change the results'
  end subroutine run_and_compare

  subroutine run_from_start(components, timings, final)
    class(components_t), intent(inout) :: components
    type(timings_t), intent(out) :: timings
    type(model_state_t), intent(out), optional :: final

    type(model_state_t) :: state

    state = model_state_t(grid)
    call run_model(grid, config, components, state, timings)
    if (present(final)) final = state
  end subroutine run_from_start

end program fortran_model
