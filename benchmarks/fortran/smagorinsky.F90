! Diffusion as strong as the strain says; the domain starts at (1, 1, 1), the halo is 1 in i and j.
module smagorinsky
#include "precision.inc"
contains

  ! Rolling rows of the squares of tension and shear, each computed once.
  subroutine smagorinsky_rows(ldi, ldj, ni, nj, nk, u, v, u_out, v_out, weight, background) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), value :: weight, background
    real(rk), intent(in) :: u(0:ldi-1, 0:ldj-1, nk), v(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(inout) :: u_out(0:ldi-1, 0:ldj-1, nk), v_out(0:ldi-1, 0:ldj-1, nk)
    real(rk) :: tension(ni+1, 0:1), shear(0:ni, 0:1), strength_u, strength_v
    integer :: i, j, k, behind, here, ahead
    !$omp parallel do private(i, j, behind, here, ahead, tension, shear, strength_u, strength_v)
    do k = 1, nk
      do i = 1, ni + 1
        tension(i, 1) = (u(i, 1, k) - u(i-1, 1, k) - v(i, 1, k) + v(i, 0, k))**2
      end do
      do i = 0, ni
        shear(i, 0) = (u(i, 1, k) - u(i, 0, k) + v(i+1, 0, k) - v(i, 0, k))**2
      end do
      do j = 1, nj
        here = mod(j, 2)
        ahead = 1 - here
        behind = ahead
        do i = 1, ni + 1
          tension(i, ahead) = (u(i, j+1, k) - u(i-1, j+1, k) - v(i, j+1, k) + v(i, j, k))**2
        end do
        do i = 0, ni
          shear(i, here) = (u(i, j+1, k) - u(i, j, k) + v(i+1, j, k) - v(i, j, k))**2
        end do
        !$omp simd private(strength_u, strength_v)
        do i = 1, ni
          strength_u = sqrt(0.5_rk * (tension(i, here) + tension(i+1, here) + shear(i, here) + shear(i, behind)))
          strength_v = sqrt(0.5_rk * (tension(i, here) + tension(i, ahead) + shear(i, here) + shear(i-1, here)))
          strength_u = min(max(weight * strength_u - background, 0._rk), 0.5_rk)
          strength_v = min(max(weight * strength_v - background, 0._rk), 0.5_rk)
          u_out(i, j, k) = u(i, j, k) &
              + strength_u * (u(i+1, j, k) + u(i-1, j, k) + u(i, j+1, k) + u(i, j-1, k) - 4 * u(i, j, k))
          v_out(i, j, k) = v(i, j, k) &
              + strength_v * (v(i+1, j, k) + v(i-1, j, k) + v(i, j+1, k) + v(i, j-1, k) - 4 * v(i, j, k))
        end do
      end do
    end do
  end subroutine

  ! One loop nest, everything computed where it is used.
  subroutine smagorinsky_inline(ldi, ldj, ni, nj, nk, u, v, u_out, v_out, weight, background) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk
    real(rk), value :: weight, background
    real(rk), intent(in) :: u(0:ldi-1, 0:ldj-1, nk), v(0:ldi-1, 0:ldj-1, nk)
    real(rk), intent(inout) :: u_out(0:ldi-1, 0:ldj-1, nk), v_out(0:ldi-1, 0:ldj-1, nk)
    real(rk) :: tension, tension_e, tension_n, shear, shear_w, shear_s, strength_u, strength_v
    integer :: i, j, k
    !$omp parallel do private(i, j, tension, tension_e, tension_n, shear, shear_w, shear_s, strength_u, strength_v)
    do k = 1, nk
      do j = 1, nj
        !$omp simd private(tension, tension_e, tension_n, shear, shear_w, shear_s, strength_u, strength_v)
        do i = 1, ni
          tension = (u(i, j, k) - u(i-1, j, k) - v(i, j, k) + v(i, j-1, k))**2
          tension_e = (u(i+1, j, k) - u(i, j, k) - v(i+1, j, k) + v(i+1, j-1, k))**2
          tension_n = (u(i, j+1, k) - u(i-1, j+1, k) - v(i, j+1, k) + v(i, j, k))**2
          shear = (u(i, j+1, k) - u(i, j, k) + v(i+1, j, k) - v(i, j, k))**2
          shear_w = (u(i-1, j+1, k) - u(i-1, j, k) + v(i, j, k) - v(i-1, j, k))**2
          shear_s = (u(i, j, k) - u(i, j-1, k) + v(i+1, j-1, k) - v(i, j-1, k))**2
          strength_u = min(max(weight * sqrt(0.5_rk * (tension + tension_e + shear + shear_s)) - background, 0._rk), 0.5_rk)
          strength_v = min(max(weight * sqrt(0.5_rk * (tension + tension_n + shear + shear_w)) - background, 0._rk), 0.5_rk)
          u_out(i, j, k) = u(i, j, k) &
              + strength_u * (u(i+1, j, k) + u(i-1, j, k) + u(i, j+1, k) + u(i, j-1, k) - 4 * u(i, j, k))
          v_out(i, j, k) = v(i, j, k) &
              + strength_v * (v(i+1, j, k) + v(i-1, j, k) + v(i, j+1, k) + v(i, j-1, k) - 4 * v(i, j, k))
        end do
      end do
    end do
  end subroutine
end module
