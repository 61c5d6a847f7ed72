!> The model from its first to its last step, and how long its parts take.
module time_loop
  use block_grid, only: block_grid_t
  use components, only: components_t
  use model_config, only: model_config_t
  use model_state, only: model_state_t
  use precision, only: wp
  use stopwatch, only: stopwatch_t
  implicit none (type, external)
  private

  type, public :: timings_t
    type(stopwatch_t) :: horizontal_diffusion, vertical_diffusion, vertical_advection, layout
  contains
    procedure :: end_step
  end type timings_t

  public :: run_model

contains

  subroutine run_model(grid, config, components, state, timings)
    type(block_grid_t), intent(in) :: grid
    type(model_config_t), intent(in) :: config
    class(components_t), intent(inout) :: components
    type(model_state_t), intent(inout) :: state
    type(timings_t), intent(out) :: timings

    integer :: step

    do step = 1, config%steps
      call diffuse(grid, components, state%theta, state%coefficient, state%smoothed, timings)
      call diffuse(grid, components, state%tracer, state%coefficient, state%smoothed, timings)
      call step_columns(grid, config%dt, components, state, timings)
      call timings%end_step()
    end do
  end subroutine run_model

  subroutine end_step(timings)
    class(timings_t), intent(inout) :: timings

    call timings%horizontal_diffusion%end_lap()
    call timings%vertical_diffusion%end_lap()
    call timings%vertical_advection%end_lap()
    call timings%layout%end_lap()
  end subroutine end_step

  !> Replace a field on the grid by what its diffusion makes of it.
  subroutine diffuse(grid, components, field, coefficient, smoothed, timings)
    type(block_grid_t), intent(in) :: grid
    class(components_t), intent(inout) :: components
    real(wp), intent(inout), allocatable :: field(:, :, :), smoothed(:, :, :)
    real(wp), intent(in), contiguous :: coefficient(:, :)
    type(timings_t), intent(inout) :: timings

    real(wp), allocatable :: old(:, :, :)

    call timings%layout%start()
    call grid%fill_halo(field, components%threads)
    call timings%layout%stop()

    call timings%horizontal_diffusion%start()
    call components%diffuse_horizontally(grid, field, coefficient, smoothed)
    call timings%horizontal_diffusion%stop()

    call move_alloc(field, old)
    call move_alloc(smoothed, field)
    call move_alloc(old, smoothed)
  end subroutine diffuse

  !> The physics: to blocks, along the columns, and back.
  subroutine step_columns(grid, dt, components, state, timings)
    type(block_grid_t), intent(in) :: grid
    real(wp), intent(in) :: dt
    class(components_t), intent(inout) :: components
    type(model_state_t), intent(inout) :: state
    type(timings_t), intent(inout) :: timings

    call timings%layout%start()
    call grid%to_blocks(state%theta, state%theta_blocks, components%threads)
    call grid%to_blocks(state%tracer, state%tracer_blocks, components%threads)
    call timings%layout%stop()

    call timings%vertical_diffusion%start()
    call components%mix_vertically(grid, state, dt)
    call timings%vertical_diffusion%stop()

    call timings%vertical_advection%start()
    call components%advect_vertically(grid, state, dt)
    call timings%vertical_advection%stop()

    call timings%layout%start()
    call grid%from_blocks(state%mixed, state%theta, components%threads)
    call grid%from_blocks(state%tracer_blocks, state%tracer, components%threads)
    call timings%layout%stop()
  end subroutine step_columns

end module time_loop
