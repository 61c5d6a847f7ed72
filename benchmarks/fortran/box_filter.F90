! Mean over 27 points, over 18 at bottom and top; the domain starts at (1, 1, 1), the halo is 1 in i and j.
module box_filter
#include "precision.inc"
contains

  ! One row at a time up through the levels, with a ring of the sums of three levels.
  subroutine box_filter_rows(ldi, ldj, ni, nj, nk, inp, out) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), intent(in) :: inp(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(inout) :: out(0:ldi-1, 0:ldj-1, nk)
    real(rk) :: column(0:ni+1), total(ni, 0:2)
    integer :: i, j, k, below, here, above
    !$omp parallel do private(i, k, below, here, above, column, total)
    do j = 1, nj
      do k = 1, nk
        above = mod(k, 3)
        do i = 0, ni + 1
          column(i) = inp(i, j-1, k) + inp(i, j, k) + inp(i, j+1, k)
        end do
        do i = 1, ni
          total(i, above) = column(i-1) + column(i) + column(i+1)
        end do
        here = mod(k + 2, 3)
        below = mod(k + 1, 3)
        if (k == 2) then
          out(1:ni, j, 1) = (total(:, here) + total(:, above)) * (1 / 18._rk)
        else if (k > 2) then
          do i = 1, ni
            out(i, j, k-1) = (total(i, below) + total(i, here) + total(i, above)) * (1 / 27._rk)
          end do
        end if
      end do
      out(1:ni, j, nk) = (total(:, mod(nk + 2, 3)) + total(:, mod(nk, 3))) * (1 / 18._rk)
    end do
  end subroutine

  ! Blocks of rows, each sum of three points of a row computed once in a block.
  subroutine box_filter_blocks(ldi, ldj, ni, nj, nk, inp, out, rows) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk, rows
    real(rk), intent(in) :: inp(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(inout) :: out(0:ldi-1, 0:ldj-1, nk)
    real(rk) :: along(ni, 0:2), total(ni, rows, 0:2)
    integer :: i, j, k, first, n, r, below, here, above
    !$omp parallel do private(i, j, k, n, r, below, here, above, along, total)
    do first = 1, nj, rows
      n = min(rows, nj - first + 1)
      do k = 1, nk
        above = mod(k, 3)
        here = mod(k + 2, 3)
        below = mod(k + 1, 3)
        do j = first - 1, first + n
          r = j - first
          do i = 1, ni
            along(i, mod(j, 3)) = inp(i-1, j, k) + inp(i, j, k) + inp(i+1, j, k)
          end do
          if (j > first) then
            do i = 1, ni
              total(i, r, above) = along(i, 0) + along(i, 1) + along(i, 2)
            end do
            if (k == 2) then
              out(1:ni, j-1, 1) = (total(:, r, here) + total(:, r, above)) * (1 / 18._rk)
            else if (k > 2) then
              do i = 1, ni
                out(i, j-1, k-1) = (total(i, r, below) + total(i, r, here) + total(i, r, above)) * (1 / 27._rk)
              end do
            end if
          end if
        end do
      end do
      do r = 1, n
        out(1:ni, first+r-1, nk) = (total(:, r, mod(nk + 2, 3)) + total(:, r, mod(nk, 3))) * (1 / 18._rk)
      end do
    end do
  end subroutine

  ! One loop nest over all points.
  subroutine box_filter_inline(ldi, ldj, ni, nj, nk, inp, out) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), intent(in) :: inp(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(inout) :: out(0:ldi-1, 0:ldj-1, nk)
    integer :: i, j, k, other
    !$omp parallel do private(i, j, other)
    do k = 1, nk
      do j = 1, nj
        if (k > 1 .and. k < nk) then
          !$omp simd
          do i = 1, ni
            out(i, j, k) = (1 / 27._rk) * ( &
                inp(i-1, j-1, k-1) + inp(i, j-1, k-1) + inp(i+1, j-1, k-1) &
                + inp(i-1, j, k-1) + inp(i, j, k-1) + inp(i+1, j, k-1) &
                + inp(i-1, j+1, k-1) + inp(i, j+1, k-1) + inp(i+1, j+1, k-1) &
                + inp(i-1, j-1, k) + inp(i, j-1, k) + inp(i+1, j-1, k) &
                + inp(i-1, j, k) + inp(i, j, k) + inp(i+1, j, k) &
                + inp(i-1, j+1, k) + inp(i, j+1, k) + inp(i+1, j+1, k) &
                + inp(i-1, j-1, k+1) + inp(i, j-1, k+1) + inp(i+1, j-1, k+1) &
                + inp(i-1, j, k+1) + inp(i, j, k+1) + inp(i+1, j, k+1) &
                + inp(i-1, j+1, k+1) + inp(i, j+1, k+1) + inp(i+1, j+1, k+1))
          end do
        else
          other = merge(2, nk - 1, k == 1)
          !$omp simd
          do i = 1, ni
            out(i, j, k) = (1 / 18._rk) * ( &
                inp(i-1, j-1, k) + inp(i, j-1, k) + inp(i+1, j-1, k) &
                + inp(i-1, j, k) + inp(i, j, k) + inp(i+1, j, k) &
                + inp(i-1, j+1, k) + inp(i, j+1, k) + inp(i+1, j+1, k) &
                + inp(i-1, j-1, other) + inp(i, j-1, other) + inp(i+1, j-1, other) &
                + inp(i-1, j, other) + inp(i, j, other) + inp(i+1, j, other) &
                + inp(i-1, j+1, other) + inp(i, j+1, other) + inp(i+1, j+1, other))
          end do
        end if
      end do
    end do
  end subroutine
end module
