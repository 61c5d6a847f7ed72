! One step of the 7-point Jacobi iteration; the domain starts at (1, 1, 1), the halo is 1.
module jacobi7
#include "precision.inc"
  real(rk), parameter :: seventh = 1 / 7._rk
contains

  subroutine jacobi7_planes(ldi, ldj, ni, nj, nk, inp, out) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), intent(in) :: inp(0:ldi-1, 0:ldj-1, 0:nk+1)
    real(rk), intent(inout) :: out(0:ldi-1, 0:ldj-1, 0:nk+1)
    integer :: i, j, k
    !$omp parallel do private(i, j)
    do k = 1, nk
      do j = 1, nj
        !$omp simd
        do i = 1, ni
          out(i, j, k) = (inp(i, j, k) + inp(i-1, j, k) + inp(i+1, j, k) + inp(i, j-1, k) + inp(i, j+1, k) &
              + inp(i, j, k-1) + inp(i, j, k+1)) * seventh
        end do
      end do
    end do
  end subroutine

  ! Blocks of rows with the levels inside, so that the three planes of a block stay in the cache.
  subroutine jacobi7_blocks(ldi, ldj, ni, nj, nk, inp, out, rows) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk, rows
    real(rk), intent(in) :: inp(0:ldi-1, 0:ldj-1, 0:nk+1)
    real(rk), intent(inout) :: out(0:ldi-1, 0:ldj-1, 0:nk+1)
    integer :: i, j, k, first
    !$omp parallel do private(i, j, k)
    do first = 1, nj, rows
      do k = 1, nk
        do j = first, min(first + rows - 1, nj)
          !$omp simd
          do i = 1, ni
            out(i, j, k) = (inp(i, j, k) + inp(i-1, j, k) + inp(i+1, j, k) + inp(i, j-1, k) + inp(i, j+1, k) &
                + inp(i, j, k-1) + inp(i, j, k+1)) * seventh
          end do
        end do
      end do
    end do
  end subroutine
end module
