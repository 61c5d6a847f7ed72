!> What every implementation of the model's components offers.
module components
  use block_grid, only: block_grid_t
  use model_state, only: model_state_t
  use precision, only: wp
  implicit none (type, external)
  private

  type, abstract, public :: components_t
    integer :: threads = 1
  contains
    procedure(diffuse), deferred :: diffuse_horizontally
    procedure(step_columns), deferred :: mix_vertically
    procedure(step_columns), deferred :: advect_vertically
  end type components_t

  abstract interface
    !> Diffuse a field on the grid, whose halo is filled.
    subroutine diffuse(self, grid, field, coefficient, smoothed)
      import :: block_grid_t, components_t, wp
      implicit none (type, external)
      class(components_t), intent(inout) :: self
      type(block_grid_t), intent(in) :: grid
      real(wp), intent(in), contiguous :: field(:, :, :), coefficient(:, :)
      real(wp), intent(inout), contiguous :: smoothed(:, :, :)
    end subroutine diffuse

    !> Advance fields in blocks.
    subroutine step_columns(self, grid, state, dt)
      import :: block_grid_t, components_t, model_state_t, wp
      implicit none (type, external)
      class(components_t), intent(inout) :: self
      type(block_grid_t), intent(in) :: grid
      type(model_state_t), intent(inout) :: state
      real(wp), intent(in) :: dt
    end subroutine step_columns
  end interface

end module components
