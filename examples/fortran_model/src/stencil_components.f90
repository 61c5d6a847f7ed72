!> The components by generated stencils; threads share rows of the grid, or blocks, and each has a workspace.
module stencil_components
  use, intrinsic :: iso_c_binding, only: c_int8_t
  use block_grid, only: block_grid_t, HALO, ROWS_IN_STRIP
  use components, only: components_t
  use model_dsl, only: horizontal_diffusion_run, horizontal_diffusion_workspace_bytes, vertical_advection_run_block, &
    vertical_diffusion_run_block, vertical_diffusion_workspace_bytes, stencil_failure, stencil_message, STENCIL_OK
  use model_state, only: model_state_t
  use precision, only: wp
  implicit none (type, external)
  private

  type, extends(components_t), public :: stencil_components_t
  contains
    procedure :: diffuse_horizontally
    procedure :: mix_vertically
    procedure :: advect_vertically
  end type stencil_components_t

contains

  subroutine diffuse_horizontally(self, grid, field, coefficient, smoothed)
    class(stencil_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    real(wp), intent(in), contiguous :: field(:, :, :), coefficient(:, :)
    real(wp), intent(inout), contiguous :: smoothed(:, :, :)

    integer(c_int8_t), allocatable :: workspace(:)
    type(stencil_failure) :: failure, worst
    integer :: strip, rows(2), rc

    !$omp parallel num_threads(self%threads) private(workspace, rows, rc, failure)
    allocate (workspace(horizontal_diffusion_workspace_bytes(grid%nx, ROWS_IN_STRIP, grid%nlev)))
    !$omp do
    do strip = 1, grid%strips()
      rows = HALO + grid%rows_of(strip)
      call horizontal_diffusion_run(field, coefficient, smoothed, &
        HALO + 1, HALO + grid%nx, rows(1), rows(2), 1, grid%nlev, rc, failure, workspace)
      if (rc /= STENCIL_OK) call note(failure, worst)
    end do
    !$omp end parallel
    call require_success('horizontal_diffusion', worst)
  end subroutine diffuse_horizontally

  subroutine mix_vertically(self, grid, state, dt)
    class(stencil_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    type(model_state_t), intent(inout) :: state
    real(wp), intent(in) :: dt

    integer(c_int8_t), allocatable :: workspace(:)
    type(stencil_failure) :: failure, worst
    integer :: block, rc

    !$omp parallel num_threads(self%threads) private(workspace, rc, failure)
    allocate (workspace(vertical_diffusion_workspace_bytes(grid%nproma, 1, grid%nlev)))
    !$omp do
    do block = 1, grid%nblks
      call vertical_diffusion_run_block(state%theta_blocks(:, :, block), state%diffusivity(:, :, block), &
        state%thickness(:, :, block), state%surface_flux(:, block), state%mixed(:, :, block), dt, &
        1, grid%columns_in(block), 1, grid%nlev, rc, failure, workspace)
      if (rc /= STENCIL_OK) call note(failure, worst)
    end do
    !$omp end parallel
    call require_success('vertical_diffusion', worst)
  end subroutine mix_vertically

  subroutine advect_vertically(self, grid, state, dt)
    class(stencil_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    type(model_state_t), intent(inout) :: state
    real(wp), intent(in) :: dt

    type(stencil_failure) :: failure, worst
    integer :: block, rc

    !$omp parallel do num_threads(self%threads) private(rc, failure)
    do block = 1, grid%nblks
      call vertical_advection_run_block(state%tracer_blocks(:, :, block), state%wind(:, :, block), &
        state%thickness(:, :, block), state%flux(:, :, block), state%burden(:, block), dt, &
        1, grid%columns_in(block), 1, grid%nlev, rc, failure)
      if (rc /= STENCIL_OK) call note(failure, worst)
    end do
    call require_success('vertical_advection', worst)
  end subroutine advect_vertically

  !> Keep a failure until all threads are done: none may stop the program for the others.
  subroutine note(failure, worst)
    type(stencil_failure), intent(in) :: failure
    type(stencil_failure), intent(inout) :: worst

    !$omp critical (note_failure)
    if (failure%status > worst%status) worst = failure
    !$omp end critical (note_failure)
  end subroutine note

  subroutine require_success(stencil, worst)
    character(*), intent(in) :: stencil
    type(stencil_failure), intent(in) :: worst

    if (worst%status > STENCIL_OK) error stop stencil//': '//stencil_message(worst)
  end subroutine require_success

end module stencil_components
