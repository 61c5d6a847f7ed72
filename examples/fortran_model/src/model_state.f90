!> What the model knows: fields on the grid, halo included, and fields in blocks.
module model_state
  use block_grid, only: block_grid_t, HALO
  use precision, only: wp
  implicit none (type, external)
  private

  type, public :: model_state_t
    !> On the grid: potential temperature, a tracer, and the coefficient of their diffusion.
    real(wp), allocatable :: theta(:, :, :), tracer(:, :, :), coefficient(:, :)
    !> On the grid: what one of them is after its diffusion.
    real(wp), allocatable :: smoothed(:, :, :)
    !> In blocks: the same two, and the temperature after mixing.
    real(wp), allocatable :: theta_blocks(:, :, :), tracer_blocks(:, :, :), mixed(:, :, :)
    !> In blocks: thickness of the levels; diffusivity, wind and flux of the tracer on lower faces.
    real(wp), allocatable :: thickness(:, :, :), diffusivity(:, :, :), wind(:, :, :), flux(:, :, :)
    !> In blocks: flux of heat at the surface, and how much of the tracer a column holds.
    real(wp), allocatable :: surface_flux(:, :), burden(:, :)
  end type model_state_t

  interface model_state_t
    module procedure initial_state
  end interface model_state_t

  public :: is_same

contains

  !> Warm bubbles with sharp edges in stratified air, over a surface that heats it and emits the tracer.
  function initial_state(grid) result(state)
    type(block_grid_t), intent(in) :: grid
    type(model_state_t) :: state

    state = allocated_state(grid)
    call fill_grid(grid, state)
    call fill_blocks(grid, state)
  end function initial_state

  function allocated_state(grid) result(state)
    type(block_grid_t), intent(in) :: grid
    type(model_state_t) :: state

    associate (nx => grid%nx, ny => grid%ny, nlev => grid%nlev, nproma => grid%nproma, nblks => grid%nblks)
      allocate (state%theta(1 - HALO:nx + HALO, 1 - HALO:ny + HALO, nlev), source=0.0_wp)
      allocate (state%tracer, state%smoothed, source=state%theta)
      allocate (state%coefficient(1 - HALO:nx + HALO, 1 - HALO:ny + HALO), source=0.0_wp)
      allocate (state%theta_blocks(nproma, nlev, nblks), source=0.0_wp)
      allocate (state%tracer_blocks, state%mixed, state%thickness, state%flux, source=state%theta_blocks)
      allocate (state%diffusivity(nproma, nlev + 1, nblks), source=0.0_wp)
      allocate (state%wind, source=state%diffusivity)
      allocate (state%surface_flux(nproma, nblks), source=0.0_wp)
      allocate (state%burden, source=state%surface_flux)
    end associate
  end function allocated_state

  subroutine fill_grid(grid, state)
    type(block_grid_t), intent(in) :: grid
    type(model_state_t), intent(inout) :: state

    real(wp), parameter :: SURFACE_THETA = 290, STRATIFICATION = 0.5_wp, WARMER = 2
    integer :: i, j, k
    logical :: in_bubble

    do k = 1, grid%nlev
      do j = 1, grid%ny
        do i = 1, grid%nx
          in_bubble = wave(i, grid%nx, 2)*wave(j, grid%ny, 3)*wave(k, grid%nlev, 1) > 0.25_wp
          state%theta(i, j, k) = SURFACE_THETA + STRATIFICATION*k + merge(WARMER, 0.0_wp, in_bubble)
          state%tracer(i, j, k) = merge(1.0_wp, 0.0_wp, in_bubble)
        end do
      end do
    end do
    do j = 1, grid%ny
      do i = 1, grid%nx
        state%coefficient(i, j) = 0.02_wp + 0.01_wp*wave(i, grid%nx, 1)*wave(j, grid%ny, 1)
      end do
    end do
  end subroutine fill_grid

  subroutine fill_blocks(grid, state)
    type(block_grid_t), intent(in) :: grid
    type(model_state_t), intent(inout) :: state

    real(wp), parameter :: LOWEST = 20, GROWTH = 1.05_wp, EMISSION = 1.0e-3_wp, HEATING = 0.1_wp
    integer :: block, column, k
    real(wp) :: place

    do block = 1, grid%nblks
      do column = 1, grid%columns_in(block)
        place = wave((block - 1)*grid%nproma + column, grid%nx*grid%ny, 5)
        do k = 1, grid%nlev
          state%thickness(column, k, block) = LOWEST*GROWTH**(k - 1)*(1 + 0.1_wp*place)
        end do
        do k = 1, grid%nlev + 1
          state%diffusivity(column, k, block) = 5*(1 + place)*exp(-0.05_wp*k)
          state%wind(column, k, block) = 0.5_wp*place*wave(k, grid%nlev + 1, 1)
        end do
        state%flux(column, 1, block) = EMISSION
        state%surface_flux(column, block) = HEATING*place
      end do
    end do
  end subroutine fill_blocks

  !> A sine with so many periods over n points.
  elemental real(wp) function wave(point, n, periods)
    integer, intent(in) :: point, n, periods

    real(wp), parameter :: TWO_PI = 2*acos(-1.0_wp)

    wave = sin(TWO_PI*periods*point/n)
  end function wave

  !> Whether all results of two states are the same, bit for bit.
  pure logical function is_same(a, b)
    type(model_state_t), intent(in) :: a, b

    is_same = all(same_bits(a%theta, b%theta)) .and. all(same_bits(a%tracer, b%tracer)) &
      .and. all(same_bits(a%mixed, b%mixed)) .and. all(same_bits(a%flux, b%flux)) &
      .and. all(same_bits(a%burden, b%burden))
  end function is_same

  elemental logical function same_bits(a, b)
    use, intrinsic :: iso_fortran_env, only: int64
    real(wp), intent(in) :: a, b

    same_bits = transfer(a, 0_int64) == transfer(b, 0_int64)
  end function same_bits

end module model_state
