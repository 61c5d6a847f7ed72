!> A horizontal grid of nx * ny columns in two layouts.
!>
!> The dynamics look at neighbours: fields are (i, j, level), with a halo of HALO points on each side. The physics work
!> in columns: fields are (column, level, block). Columns are counted row by row; nproma of them are a block, and the
!> last block has npromz.
module block_grid
  use precision, only: wp
  implicit none (type, external)
  private

  integer, parameter, public :: HALO = 2

  !> Rows that one thread does at a time, where the dynamics are shared out.
  integer, parameter, public :: ROWS_IN_STRIP = 8

  type, public :: block_grid_t
    integer :: nx = 0, ny = 0, nlev = 0
    integer :: nproma = 0, npromz = 0, nblks = 0
  contains
    procedure :: columns_in
    procedure :: has_point
    procedure :: strips
    procedure :: rows_of
    procedure :: fill_halo
    procedure :: to_blocks
    procedure :: from_blocks
    procedure, private :: locate
  end type block_grid_t

  interface block_grid_t
    module procedure new_block_grid
  end interface block_grid_t

contains

  pure function new_block_grid(nx, ny, nlev, nproma) result(grid)
    integer, intent(in) :: nx, ny, nlev, nproma
    type(block_grid_t) :: grid

    grid%nx = nx
    grid%ny = ny
    grid%nlev = nlev
    grid%nproma = nproma
    grid%nblks = (nx*ny + nproma - 1)/nproma
    grid%npromz = nx*ny - (grid%nblks - 1)*nproma
  end function new_block_grid

  !> How many columns of a block are in use.
  elemental integer function columns_in(grid, block)
    class(block_grid_t), intent(in) :: grid
    integer, intent(in) :: block

    columns_in = merge(grid%npromz, grid%nproma, block == grid%nblks)
  end function columns_in

  !> Whether a level of a column in a block is in use.
  elemental logical function has_point(grid, column, level, block)
    class(block_grid_t), intent(in) :: grid
    integer, intent(in) :: column, level, block

    has_point = block >= 1 .and. block <= grid%nblks .and. level >= 1 .and. level <= grid%nlev &
      .and. column >= 1 .and. column <= grid%columns_in(block)
  end function has_point

  !> How many strips of rows there are.
  elemental integer function strips(grid)
    class(block_grid_t), intent(in) :: grid

    strips = (grid%ny + ROWS_IN_STRIP - 1)/ROWS_IN_STRIP
  end function strips

  !> The first and the last row of a strip.
  pure function rows_of(grid, strip) result(rows)
    class(block_grid_t), intent(in) :: grid
    integer, intent(in) :: strip
    integer :: rows(2)

    rows = [(strip - 1)*ROWS_IN_STRIP + 1, min(strip*ROWS_IN_STRIP, grid%ny)]
  end function rows_of

  !> Make a field periodic in both directions.
  subroutine fill_halo(grid, field, threads)
    class(block_grid_t), intent(in) :: grid
    real(wp), intent(inout) :: field(1 - HALO:, 1 - HALO:, :)
    integer, intent(in) :: threads

    integer :: level

    associate (nx => grid%nx, ny => grid%ny)
      !$omp parallel do num_threads(threads)
      do level = 1, grid%nlev
        field(1 - HALO:0, 1:ny, level) = field(nx - HALO + 1:nx, 1:ny, level)
        field(nx + 1:nx + HALO, 1:ny, level) = field(1:HALO, 1:ny, level)
        field(:, 1 - HALO:0, level) = field(:, ny - HALO + 1:ny, level)
        field(:, ny + 1:ny + HALO, level) = field(:, 1:HALO, level)
      end do
    end associate
  end subroutine fill_halo

  subroutine to_blocks(grid, field, blocks, threads)
    class(block_grid_t), intent(in) :: grid
    real(wp), intent(in) :: field(1 - HALO:, 1 - HALO:, :)
    real(wp), intent(inout) :: blocks(:, :, :)
    integer, intent(in) :: threads

    integer :: block, first, last, i, j

    !$omp parallel do num_threads(threads) private(first, last, i, j)
    do block = 1, grid%nblks
      last = 0
      do while (last < grid%columns_in(block))
        first = last + 1
        call grid%locate(block, first, last, i, j)
        blocks(first:last, :, block) = field(i:i + last - first, j, :)
      end do
    end do
  end subroutine to_blocks

  subroutine from_blocks(grid, blocks, field, threads)
    class(block_grid_t), intent(in) :: grid
    real(wp), intent(in) :: blocks(:, :, :)
    real(wp), intent(inout) :: field(1 - HALO:, 1 - HALO:, :)
    integer, intent(in) :: threads

    integer :: block, first, last, i, j

    !$omp parallel do num_threads(threads) private(first, last, i, j)
    do block = 1, grid%nblks
      last = 0
      do while (last < grid%columns_in(block))
        first = last + 1
        call grid%locate(block, first, last, i, j)
        field(i:i + last - first, j, :) = blocks(first:last, :, block)
      end do
    end do
  end subroutine from_blocks

  !> Where a column of a block is on the grid, and up to which column of the block the same row goes on.
  pure subroutine locate(grid, block, first, last, i, j)
    class(block_grid_t), intent(in) :: grid
    integer, intent(in) :: block, first
    integer, intent(out) :: last, i, j

    integer :: before

    before = (block - 1)*grid%nproma + first - 1
    i = 1 + modulo(before, grid%nx)
    j = 1 + before/grid%nx
    last = min(grid%columns_in(block), first + grid%nx - i)
  end subroutine locate

end module block_grid
