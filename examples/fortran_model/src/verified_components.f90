!> The components by the model's own kernels, each result compared with that of a generated stencil.
module verified_components
  use, intrinsic :: iso_c_binding, only: c_int8_t
  use, intrinsic :: iso_fortran_env, only: int64
  use block_grid, only: block_grid_t, HALO
  use components, only: components_t
  use model_config, only: planted_error_t
  use model_dsl, only: horizontal_diffusion_run_and_verify, horizontal_diffusion_save_before, &
    horizontal_diffusion_workspace_bytes, vertical_advection_run_and_verify_blocks, &
    vertical_advection_save_before_blocks, vertical_diffusion_run_and_verify_blocks, &
    vertical_diffusion_save_before_blocks, vertical_diffusion_workspace_bytes, &
    stencil_before, stencil_metrics, STENCIL_EVERIFY, STENCIL_OK
  use model_state, only: model_state_t
  use own_components, only: own_components_t
  use precision, only: wp
  implicit none (type, external)
  private

  integer, parameter, public :: HORIZONTAL_DIFFUSION = 1, VERTICAL_DIFFUSION = 2, VERTICAL_ADVECTION = 3

  integer, parameter :: BYTES = storage_size(0.0_wp)/8

  !> How a stencil compares so far. For each field: what the stencil does to it, how many bytes it has, and how many of
  !> them were copied before a call.
  type, public :: verification_t
    type(stencil_metrics) :: metrics
    character(5), allocatable :: intents(:)
    integer(int64), allocatable :: whole(:), copied(:)
  end type verification_t

  type, extends(components_t), public :: verified_components_t
    type(own_components_t) :: own
    type(planted_error_t) :: planted
    type(verification_t) :: verifications(3)
    integer, private :: step = 0
  contains
    procedure :: diffuse_horizontally
    procedure :: mix_vertically
    procedure :: advect_vertically
    procedure, private :: plant
  end type verified_components_t

contains

  subroutine diffuse_horizontally(self, grid, field, coefficient, smoothed)
    class(verified_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    real(wp), intent(in), contiguous :: field(:, :, :), coefficient(:, :)
    real(wp), intent(inout), contiguous :: smoothed(:, :, :)

    integer(c_int8_t), allocatable :: workspace(:)
    type(stencil_before) :: before
    integer :: i_start, i_end, j_start, j_end, rc

    ! Bounds count from 1 in the arrays, halo included.
    i_start = HALO + 1
    i_end = HALO + grid%nx
    j_start = HALO + 1
    j_end = HALO + grid%ny
    allocate (workspace(horizontal_diffusion_workspace_bytes(grid%nx, grid%ny, grid%nlev)))
    associate (check => self%verifications(HORIZONTAL_DIFFUSION))
      call horizontal_diffusion_save_before(field, coefficient, smoothed, &
        i_start, i_end, j_start, j_end, 1, grid%nlev, before)
      call self%own%diffuse_horizontally(grid, field, coefficient, smoothed)
      call horizontal_diffusion_run_and_verify(field, coefficient, smoothed, &
        i_start, i_end, j_start, j_end, 1, grid%nlev, before, check%metrics, &
        rc=rc, workspace=workspace)
      call require_comparison(rc)
      check%intents = [character(5) :: 'in', 'in', 'out']
      check%whole = BYTES*[size(field), size(coefficient), size(smoothed)]
      check%copied = before%fields%bytes
    end associate
  end subroutine diffuse_horizontally

  subroutine mix_vertically(self, grid, state, dt)
    class(verified_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    type(model_state_t), intent(inout) :: state
    real(wp), intent(in) :: dt

    integer(c_int8_t), allocatable :: workspace(:)
    type(stencil_before), allocatable :: before(:)
    integer :: rc

    allocate (workspace(vertical_diffusion_workspace_bytes(grid%nproma, 1, grid%nlev)))
    associate (check => self%verifications(VERTICAL_DIFFUSION))
      call vertical_diffusion_save_before_blocks(state%theta_blocks, state%diffusivity, state%thickness, &
        state%surface_flux, state%mixed, dt, 1, grid%nblks, 1, grid%npromz, 1, grid%nlev, before)
      call self%own%mix_vertically(grid, state, dt)
      call self%plant(state%mixed)
      call vertical_diffusion_run_and_verify_blocks(state%theta_blocks, state%diffusivity, state%thickness, &
        state%surface_flux, state%mixed, dt, 1, grid%nblks, 1, grid%npromz, 1, grid%nlev, before, &
        check%metrics, rc=rc, workspace=workspace)
      call require_comparison(rc)
      check%intents = [character(5) :: 'in', 'in', 'in', 'in', 'out']
      check%whole = BYTES*[size(state%theta_blocks), size(state%diffusivity), size(state%thickness), &
        size(state%surface_flux), size(state%mixed)]
      check%copied = copied_by(before)
    end associate
  end subroutine mix_vertically

  subroutine advect_vertically(self, grid, state, dt)
    class(verified_components_t), intent(inout) :: self
    type(block_grid_t), intent(in) :: grid
    type(model_state_t), intent(inout) :: state
    real(wp), intent(in) :: dt

    type(stencil_before), allocatable :: before(:)
    integer :: rc

    associate (check => self%verifications(VERTICAL_ADVECTION))
      call vertical_advection_save_before_blocks(state%tracer_blocks, state%wind, state%thickness, state%flux, &
        state%burden, dt, 1, grid%nblks, 1, grid%npromz, 1, grid%nlev, before)
      call self%own%advect_vertically(grid, state, dt)
      call vertical_advection_run_and_verify_blocks(state%tracer_blocks, state%wind, state%thickness, state%flux, &
        state%burden, dt, 1, grid%nblks, 1, grid%npromz, 1, grid%nlev, before, check%metrics, rc=rc)
      call require_comparison(rc)
      check%intents = [character(5) :: 'inout', 'in', 'in', 'inout', 'out']
      check%whole = BYTES*[size(state%tracer_blocks), size(state%wind), size(state%thickness), &
        size(state%flux), size(state%burden)]
      check%copied = copied_by(before)
    end associate
  end subroutine advect_vertically

  !> Add the planted error to what the model computed, when its step has come.
  subroutine plant(self, mixed)
    class(verified_components_t), intent(inout) :: self
    real(wp), intent(inout) :: mixed(:, :, :)

    self%step = self%step + 1
    associate (error => self%planted)
      if (self%step == error%step) then
        mixed(error%column, error%level, error%block) = mixed(error%column, error%level, error%block) + error%amount
      end if
    end associate
  end subroutine plant

  !> The bytes of each field in all blocks.
  pure function copied_by(before) result(bytes)
    type(stencil_before), intent(in) :: before(:)
    integer(int64) :: bytes(size(before(1)%fields))

    integer :: block

    bytes = 0
    do block = 1, size(before)
      bytes = bytes + before(block)%fields%bytes
    end do
  end function copied_by

  !> Differences are a result; that there was nothing to compare is a mistake in a call.
  subroutine require_comparison(rc)
    integer, intent(in) :: rc

    if (rc /= STENCIL_OK .and. rc /= STENCIL_EVERIFY) error stop 'a stencil could not be compared'
  end subroutine require_comparison

end module verified_components
