!> What the model prints.
module report
  use, intrinsic :: iso_fortran_env, only: output_unit
  use block_grid, only: block_grid_t
  use model_config, only: model_config_t, planted_error_t
  use precision, only: wp
  use stopwatch, only: stopwatch_t
  use time_loop, only: timings_t
  use verified_components, only: verification_t
  implicit none (type, external)
  private

  public :: print_agreement, print_copies, print_grid, print_planted, print_times, print_verifications

contains

  subroutine print_grid(grid, config)
    type(block_grid_t), intent(in) :: grid
    type(model_config_t), intent(in) :: config

    write (output_unit, '(7(i0, a))') grid%nx, ' x ', grid%ny, ' columns of ', grid%nlev, ' levels, in ', &
      grid%nblks, ' blocks of ', grid%nproma, ', the last one of ', grid%npromz, '; ', config%steps, ' steps'
  end subroutine print_grid

  subroutine print_verifications(verifications)
    type(verification_t), intent(in) :: verifications(:)

    integer :: n, field

    write (output_unit, '(/, a, /)') 'Verified: the results of the stencils against those of the model''s own Fortran'
    write (output_unit, '(2x, a, t26, a, t38, a14, a12, a20)') &
      'stencil', 'field', 'points', 'different', 'largest difference'
    do n = 1, size(verifications)
      associate (metrics => verifications(n)%metrics)
        do field = 1, size(metrics%fields)
          if (metrics%fields(field)%points == 0) cycle
          write (output_unit, '(2x, a, t26, a, t38, i14, i12, es20.1)') &
            trim(metrics%stencil), trim(metrics%fields(field)%name), metrics%fields(field)%points, &
            metrics%fields(field)%failures, metrics%fields(field)%largest_absolute
        end do
      end associate
    end do
  end subroutine print_verifications

  !> The error that was planted, and the differences that were found.
  subroutine print_planted(planted, verifications)
    type(planted_error_t), intent(in) :: planted
    type(verification_t), intent(in) :: verifications(:)

    integer :: n, field

    write (output_unit, '(/, a, es7.1, 4(a, i0))') 'Planted: ', planted%amount, &
      ' added to ''mixed'' at column ', planted%column, ', level ', planted%level, ', block ', planted%block, &
      ' in step ', planted%step
    do n = 1, size(verifications)
      associate (metrics => verifications(n)%metrics)
        do field = 1, size(metrics%fields)
          associate (found => metrics%fields(field))
            if (found%failures > 0) write (output_unit, '(3a, 5(i0, a), f0.9, a, f0.9)') &
              '  Found: ''', trim(found%name), ''' differs at ', found%failures, ' of ', found%points, &
              ' points, first at column ', found%first(1), ', level ', found%first(3), ', block ', found%first(2), &
              ': the stencil says ', found%computed, ', the model ', found%expected
          end associate
        end do
      end associate
    end do
  end subroutine print_planted

  subroutine print_copies(verifications)
    type(verification_t), intent(in) :: verifications(:)

    integer :: n, field

    write (output_unit, '(/, a, /)') 'Copied for the verification of a call, in kB'
    write (output_unit, '(2x, a, t26, a, t41, a, t48, 2a12)') 'stencil', 'field', 'intent', 'field has', 'copied'
    do n = 1, size(verifications)
      associate (check => verifications(n))
        do field = 1, size(check%intents)
          write (output_unit, '(2x, a, t26, a, t41, a, t48, f12.1, a12)') &
            trim(check%metrics%stencil), trim(check%metrics%fields(field)%name), check%intents(field), &
            1.0e-3_wp*real(check%whole(field), wp), amount(check%copied(field))
        end do
      end associate
    end do
  end subroutine print_copies

  pure function amount(bytes) result(text)
    use, intrinsic :: iso_fortran_env, only: int64
    integer(int64), intent(in) :: bytes
    character(12) :: text

    text = adjustr('none        ')
    if (bytes > 0) write (text, '(f12.1)') 1.0e-3_wp*real(bytes, wp)
  end function amount

  !> One column for each of the runs.
  subroutine print_times(titles, runs)
    character(*), intent(in) :: titles(:)
    type(timings_t), intent(in) :: runs(:)

    write (output_unit, '(/, a, /)') 'Times of the fastest step, in ms'
    write (output_unit, '(2x, a, t26, *(a18))') 'component', adjustr(titles)
    call print_row('horizontal diffusion', runs%horizontal_diffusion)
    call print_row('vertical diffusion', runs%vertical_diffusion)
    call print_row('vertical advection', runs%vertical_advection)
    call print_row('halos, to and from blocks', runs%layout)
  end subroutine print_times

  subroutine print_row(title, watches)
    character(*), intent(in) :: title
    type(stopwatch_t), intent(in) :: watches(:)

    integer :: n

    write (output_unit, '(2x, a, t28, f16.3, *(f18.3))') title, (1.0e3_wp*watches(n)%fastest_lap(), n=1, size(watches))
  end subroutine print_row

  subroutine print_agreement(what, is_equal, threads)
    character(*), intent(in) :: what
    logical, intent(in) :: is_equal
    integer, intent(in) :: threads

    write (output_unit, '(2a, i0, 2a)') what, ': ', threads, ' threads give what one gives, bit for bit: ', &
      trim(merge('yes', 'NO ', is_equal))
  end subroutine print_agreement

end module report
