!> The model's own kernels, as they were written by hand before there were stencils.
module own_kernels
  use precision, only: wp
  implicit none (type, external)
  private

  public :: diffuse_rows, mix_columns, advect_columns

contains

  !> Fourth-order diffusion of rows j_start to j_end; a flux that would run up the gradient is cut off.
  pure subroutine diffuse_rows(i_start, i_end, j_start, j_end, field, coefficient, smoothed)
    integer, intent(in) :: i_start, i_end, j_start, j_end
    real(wp), intent(in), contiguous :: field(:, :, :), coefficient(:, :)
    real(wp), intent(inout), contiguous :: smoothed(:, :, :)

    real(wp) :: laplacian(i_start - 1:i_end + 1, j_start - 1:j_end + 1)
    real(wp) :: flux_x(i_start - 1:i_end, j_start:j_end), flux_y(i_start:i_end, j_start - 1:j_end)
    integer :: i, j, k

    do k = 1, size(field, 3)
      do j = j_start - 1, j_end + 1
        do i = i_start - 1, i_end + 1
          laplacian(i, j) = field(i + 1, j, k) + field(i - 1, j, k) + field(i, j + 1, k) + field(i, j - 1, k) &
            - 4*field(i, j, k)
        end do
      end do
      do j = j_start, j_end
        do i = i_start - 1, i_end
          flux_x(i, j) = down_gradient(laplacian(i + 1, j) - laplacian(i, j), field(i + 1, j, k) - field(i, j, k))
        end do
      end do
      do j = j_start - 1, j_end
        do i = i_start, i_end
          flux_y(i, j) = down_gradient(laplacian(i, j + 1) - laplacian(i, j), field(i, j + 1, k) - field(i, j, k))
        end do
      end do
      do j = j_start, j_end
        do i = i_start, i_end
          smoothed(i, j, k) = field(i, j, k) &
            - coefficient(i, j)*(flux_x(i, j) - flux_x(i - 1, j) + flux_y(i, j) - flux_y(i, j - 1))
        end do
      end do
    end do
  end subroutine diffuse_rows

  elemental real(wp) function down_gradient(flux, gradient)
    real(wp), intent(in) :: flux, gradient

    down_gradient = merge(0.0_wp, flux, flux*gradient > 0)
  end function down_gradient

  !> A backward Euler step of mixing along each column of a block; the diffusivity is that of lower faces.
  pure subroutine mix_columns(columns, theta, diffusivity, thickness, surface_flux, mixed, dt)
    integer, intent(in) :: columns
    real(wp), intent(in), contiguous :: theta(:, :), diffusivity(:, :), thickness(:, :), surface_flux(:)
    real(wp), intent(inout), contiguous :: mixed(:, :)
    real(wp), intent(in) :: dt

    real(wp) :: ratio(columns, size(theta, 2)), lower, upper, pivot
    integer :: i, k, top

    top = size(theta, 2)
    do i = 1, columns
      upper = exchange(dt, diffusivity(i, 2), thickness(i, 1), thickness(i, 2))
      pivot = 1 - upper
      ratio(i, 1) = upper/pivot
      mixed(i, 1) = (theta(i, 1) + dt*surface_flux(i)/thickness(i, 1))/pivot
    end do
    do k = 2, top - 1
      do i = 1, columns
        lower = exchange(dt, diffusivity(i, k), thickness(i, k), thickness(i, k - 1))
        upper = exchange(dt, diffusivity(i, k + 1), thickness(i, k), thickness(i, k + 1))
        pivot = 1 - lower - upper - lower*ratio(i, k - 1)
        ratio(i, k) = upper/pivot
        mixed(i, k) = (theta(i, k) - lower*mixed(i, k - 1))/pivot
      end do
    end do
    do i = 1, columns
      lower = exchange(dt, diffusivity(i, top), thickness(i, top), thickness(i, top - 1))
      pivot = 1 - lower - lower*ratio(i, top - 1)
      mixed(i, top) = (theta(i, top) - lower*mixed(i, top - 1))/pivot
    end do
    do k = top - 1, 1, -1
      do i = 1, columns
        mixed(i, k) = mixed(i, k) - ratio(i, k)*mixed(i, k + 1)
      end do
    end do
  end subroutine mix_columns

  !> What the matrix of the implicit step has beside its diagonal, for a level and its neighbour.
  elemental real(wp) function exchange(dt, diffusivity, thickness, neighbour)
    real(wp), intent(in) :: dt, diffusivity, thickness, neighbour

    exchange = -2*dt*diffusivity/(thickness*(thickness + neighbour))
  end function exchange

  !> An upwind step of transport along each column of a block, and what the column holds after it.
  !>
  !> Wind and flux are those of lower faces. The flux through the lowest face is given; nothing comes in at the top.
  pure subroutine advect_columns(columns, tracer, wind, thickness, flux, burden, dt)
    integer, intent(in) :: columns
    real(wp), intent(inout), contiguous :: tracer(:, :), flux(:, :), burden(:)
    real(wp), intent(in), contiguous :: wind(:, :), thickness(:, :)
    real(wp), intent(in) :: dt

    real(wp) :: outflow
    integer :: i, k, top

    top = size(tracer, 2)
    do k = 2, top
      do i = 1, columns
        flux(i, k) = wind(i, k)*merge(tracer(i, k - 1), tracer(i, k), wind(i, k) > 0)
      end do
    end do
    do k = 1, top - 1
      do i = 1, columns
        tracer(i, k) = tracer(i, k) + dt*(flux(i, k) - flux(i, k + 1))/thickness(i, k)
      end do
    end do
    do i = 1, columns
      outflow = max(wind(i, top + 1), 0.0_wp)*tracer(i, top)
      tracer(i, top) = tracer(i, top) + dt*(flux(i, top) - outflow)/thickness(i, top)
    end do
    burden(:columns) = tracer(:columns, 1)*thickness(:columns, 1)
    do k = 2, top
      burden(:columns) = burden(:columns) + tracer(:columns, k)*thickness(:columns, k)
    end do
  end subroutine advect_columns

end module own_kernels
