!> The components by the model's own kernels; threads share rows of the grid, or blocks.
module own_components
  use block_grid, only: block_grid_t, HALO
  use components, only: components_t
  use model_state, only: model_state_t
  use own_kernels, only: advect_columns, diffuse_rows, mix_columns
  use precision, only: wp
  implicit none (type, external)
  private

  type, extends(components_t), public :: own_components_t
  contains
    procedure :: diffuse_horizontally
    procedure :: mix_vertically
    procedure :: advect_vertically
  end type own_components_t

contains

  subroutine diffuse_horizontally(self, grid, field, coefficient, smoothed)
    class(own_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    real(wp), intent(in), contiguous :: field(:, :, :), coefficient(:, :)
    real(wp), intent(inout), contiguous :: smoothed(:, :, :)

    integer :: strip, rows(2)

    !$omp parallel do num_threads(self%threads) private(rows)
    do strip = 1, grid%strips()
      rows = HALO + grid%rows_of(strip)
      call diffuse_rows(HALO + 1, HALO + grid%nx, rows(1), rows(2), field, coefficient, smoothed)
    end do
  end subroutine diffuse_horizontally

  subroutine mix_vertically(self, grid, state, dt)
    class(own_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    type(model_state_t), intent(inout) :: state
    real(wp), intent(in) :: dt

    integer :: block

    !$omp parallel do num_threads(self%threads)
    do block = 1, grid%nblks
      call mix_columns(grid%columns_in(block), state%theta_blocks(:, :, block), state%diffusivity(:, :, block), &
        state%thickness(:, :, block), state%surface_flux(:, block), state%mixed(:, :, block), dt)
    end do
  end subroutine mix_vertically

  subroutine advect_vertically(self, grid, state, dt)
    class(own_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    type(model_state_t), intent(inout) :: state
    real(wp), intent(in) :: dt

    integer :: block

    !$omp parallel do num_threads(self%threads)
    do block = 1, grid%nblks
      call advect_columns(grid%columns_in(block), state%tracer_blocks(:, :, block), state%wind(:, :, block), &
        state%thickness(:, :, block), state%flux(:, :, block), state%burden(:, block), dt)
    end do
  end subroutine advect_vertically

end module own_components
