! Warm rain in every column; no halo.
module kessler
#include "precision.inc"
contains

  ! Blocks of rows from the top down, with the flux of rain through the level above.
  subroutine kessler_blocks(ldi, ldj, ni, nj, nk, temperature, pressure, density, vapour, cloud, rain, dt, dt_dz, &
      rows) bind(c)
    integer(c_int), value :: ldi, ldj, ni, nj, nk, rows
    real(rk), value :: dt, dt_dz
    real(rk), intent(in) :: pressure(ldi, ldj, nk), density(ldi, ldj, nk)
    real(rk), intent(inout) :: temperature(ldi, ldj, nk), vapour(ldi, ldj, nk), cloud(ldi, ldj, nk), rain(ldi, ldj, nk)
    real(rk) :: above(ni, rows)
    integer :: first, j, k
    !$omp parallel do private(j, k, above)
    do first = 1, nj, rows
      above = 0
      do k = nk, 1, -1
        do j = first, min(first + rows - 1, nj)
          call row(ni, temperature(1, j, k), pressure(1, j, k), density(1, j, k), vapour(1, j, k), cloud(1, j, k), &
              rain(1, j, k), above(1, j - first + 1), dt, dt_dz)
        end do
      end do
    end do
  end subroutine

  subroutine row(ni, temperature, pressure, density, vapour, cloud, rain, above, dt, dt_dz)
    integer, intent(in) :: ni
    real(rk), intent(in) :: dt, dt_dz, pressure(ni), density(ni)
    real(rk), intent(inout) :: temperature(ni), vapour(ni), cloud(ni), rain(ni), above(ni)
    real(rk) :: t, c, r, formed, saturation, deficit, condensed, evaporated, flux
    integer :: i
    !$omp simd private(t, c, r, formed, saturation, deficit, condensed, evaporated, flux)
    do i = 1, ni
      t = temperature(i)
      formed = max(1.0e-3_rk * dt * (cloud(i) - 1.0e-3_rk), 0._rk) + 2.2_rk * dt * cloud(i) * rain(i)**0.875_rk
      formed = min(formed, cloud(i))
      c = cloud(i) - formed
      r = rain(i) + formed
      saturation = 610.78_rk * exp(17.27_rk * (t - 273.16_rk) / (t - 35.86_rk))
      saturation = 0.622_rk * saturation / (pressure(i) - saturation)
      deficit = saturation - vapour(i)
      condensed = max(-deficit / (1 + 4.0e3_rk * saturation / (t * t)), -c)
      evaporated = min(0.1_rk * dt * max(deficit - c, 0._rk) * (density(i) * r)**0.525_rk, r)
      cloud(i) = c + condensed
      r = r - evaporated
      vapour(i) = vapour(i) + evaporated - condensed
      temperature(i) = t + 2.5e3_rk * (condensed - evaporated)
      flux = 36.34_rk * density(i) * r * (1.0e-3_rk * density(i) * r)**0.1364_rk
      rain(i) = max(r + dt_dz * (above(i) - flux) / density(i), 0._rk)
      above(i) = flux
    end do
  end subroutine
end module
