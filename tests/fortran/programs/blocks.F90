! Columns in blocks: padding is never touched, and threads compute what one thread does.
program blocks
  use programs_dsl
  implicit none
  integer, parameter :: nproma = 13, nlev = 9, nblks = 7, last = 4
  real(wp), allocatable :: a(:, :, :), b(:, :, :), x(:, :, :), z(:, :), u(:, :, :), s(:)
  integer :: block, rc, bad

  allocate (a(nproma, nlev, nblks), b(nproma, nlev, nblks), x(nproma, nlev, nblks), z(nproma, nblks), s(nlev))
  allocate (u(nproma, nlev, nblks))
  call random_number(x)
  call random_number(s)
  a = -7.0_wp
  call filled_run_blocks(a, x, 2, nblks, 3, last, 1, nlev)
  call expect(all(same(a(:, :, 1), -7.0_wp)), 'blocks outside stay')
  call expect(all(same(a(:2, :, 2), -7.0_wp)), 'the first block begins where it is said')
  call expect(all(same(a(last + 1:, :, nblks), -7.0_wp)), 'padding of the last block stays')
  call expect(all(same(a(3:, 1, 2), x(3:, 1, 2))) .and. all(same(a(:, 1, 3:nblks - 1), x(:, 1, 3:nblks - 1))), &
    'blocks between the first and the last are used from end to end')
  call expect(all(same(a(:last, 1, nblks), x(:last, 1, nblks))), 'the last block ends where it is said')

  b = -7.0_wp
  bad = 0
  !$omp parallel do private(rc) reduction(+:bad)
  do block = 2, nblks
    call filled_run_block(b(:, :, block), x(:, :, block), merge(3, 1, block == 2), merge(last, nproma, block == nblks), &
      1, nlev, rc)
    if (rc /= STENCIL_OK) bad = bad + 1
  end do
  !$omp end parallel do
  call expect(bad == 0 .and. all(same(a, b)), 'block by block in threads gives the same')

  z = -7.0_wp
  u = x
  call planes_run_blocks(z, u, s, 1, nblks, 1, last, 2, nlev)
  call expect(all(same(z(last + 1:, nblks), -7.0_wp)), 'padding of a plane stays')
  call expect(abs(z(1, 1) - sum(x(1, 2:, 1) * s(2:))) < 1.0e-12_wp, 'a plane holds the sum of its columns')
  call planes_run_blocks(z, u, s, 3, 2, 1, last, 2, nlev, rc)
  call expect(rc == STENCIL_OK, 'no blocks are nothing to do')

contains

  elemental logical function same(left, right)
    real(wp), intent(in) :: left, right

    same = left >= right .and. left <= right
  end function same

  subroutine expect(holds, rule)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: rule

    print '(a, 1x, a)', merge('ok    ', 'BROKEN', holds), rule
  end subroutine expect

end program blocks
