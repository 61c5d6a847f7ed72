! First-order upwind advection in three dimensions; the domain starts at (1, 1, 1), the halo is 1 in i and j.
module upwind
#include "precision.inc"
contains

  ! Blocks of rows with the levels inside; one block of all rows goes plane by plane.
  subroutine upwind_blocks(ldi, ldj, ni, nj, nk, q, u, v, w, out, dt_dx, dt_dz, rows) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk, rows
    real(rk), value :: dt_dx, dt_dz
    real(rk), intent(in) :: q(0:ldi-1, 0:ldj-1, nk), u(0:ldi-1, 0:ldj-1, nk), v(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(in) :: w(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(inout) :: out(0:ldi-1, 0:ldj-1, nk)
    integer :: j, k, first
    !$omp parallel do private(j, k)
    do first = 1, nj, rows
      do k = 1, nk
        do j = first, min(first + rows - 1, nj)
          call row(ldi, ldj, ni, nk, j, k, q, u, v, w, out, dt_dx, dt_dz)
        end do
      end do
    end do
  end subroutine

  subroutine upwind_planes(ldi, ldj, ni, nj, nk, q, u, v, w, out, dt_dx, dt_dz) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), value :: dt_dx, dt_dz
    real(rk), intent(in) :: q(0:ldi-1, 0:ldj-1, nk), u(0:ldi-1, 0:ldj-1, nk), v(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(in) :: w(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(inout) :: out(0:ldi-1, 0:ldj-1, nk)
    integer :: j, k
    !$omp parallel do private(j)
    do k = 1, nk
      do j = 1, nj
        call row(ldi, ldj, ni, nk, j, k, q, u, v, w, out, dt_dx, dt_dz)
      end do
    end do
  end subroutine

  ! Beyond bottom and top lies what lies there: nothing flows through.
  subroutine row(ldi, ldj, ni, nk, j, k, q, u, v, w, out, dt_dx, dt_dz)
    integer, intent(in) :: ldi, ldj, ni, nk, j, k
    real(rk), intent(in) :: dt_dx, dt_dz
    real(rk), intent(in) :: q(0:ldi-1, 0:ldj-1, nk), u(0:ldi-1, 0:ldj-1, nk), v(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(in) :: w(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(inout) :: out(0:ldi-1, 0:ldj-1, nk)
    real(rk) :: here, along_i, along_j, along_k
    integer :: i, below, above
    below = max(k - 1, 1)
    above = min(k + 1, nk)
    !$omp simd private(here, along_i, along_j, along_k)
    do i = 1, ni
      here = q(i, j, k)
      along_i = merge(here - q(i-1, j, k), q(i+1, j, k) - here, u(i, j, k) > 0)
      along_j = merge(here - q(i, j-1, k), q(i, j+1, k) - here, v(i, j, k) > 0)
      along_k = merge(here - q(i, j, below), q(i, j, above) - here, w(i, j, k) > 0)
      out(i, j, k) = here - dt_dx * (u(i, j, k) * along_i + v(i, j, k) * along_j) - dt_dz * w(i, j, k) * along_k
    end do
  end subroutine
end module
