! A domain with many levels needs a workspace, one with few does not.
program workspaces
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_int8_t
  use programs_dsl
  implicit none
  integer, parameter :: ni = 40, nj = 2, nk = 1000, few = 8, width = 20
  real(wp), allocatable :: diag(:, :, :), side(:, :, :), x(:, :, :), y(:, :, :)
  integer(c_int8_t), allocatable :: workspace(:)
  type(stencil_failure) :: failure
  type(stencil_before) :: before
  type(stencil_metrics) :: metrics
  integer(c_int64_t) :: bytes
  integer :: i, rc, bad

  allocate (diag(ni, nj, nk), side(ni, nj, nk), x(ni, nj, nk))
  call random_number(side)
  call random_number(x)
  diag = 3.0_wp + side
  allocate (y, source=x)
  bytes = solved_workspace_bytes(ni, nj, nk)
  call expect(bytes > 0 .and. solved_workspace_bytes(ni, nj, few) == 0, 'large domains need a workspace, small ones do not')
  call solved_run(diag, side, x, 1, ni, 1, nj, 1, nk, rc, failure)
  call expect(rc == STENCIL_ESETUP .and. failure%needed == bytes .and. failure%given == 0, 'without it the call fails')
  print '(a)', stencil_message(failure)
  allocate (workspace(bytes - 1))
  call solved_run(diag, side, x, 1, ni, 1, nj, 1, nk, rc, failure, workspace)
  call expect(rc == STENCIL_ESETUP .and. failure%given == bytes - 1, 'and so it does if the workspace is too small')
  deallocate (workspace)
  allocate (workspace(bytes))
  call solved_save_before(diag, side, x, 1, ni, 1, nj, 1, nk, before)
  call solved_run(diag, side, x, 1, ni, 1, nj, 1, nk, rc, failure, workspace)
  call expect(rc == STENCIL_OK, 'with it the call succeeds')
  call solved_run_and_verify(diag, side, x, 1, ni, 1, nj, 1, nk, before, metrics, rc=rc, workspace=workspace)
  call expect(rc == STENCIL_OK .and. metrics%points() == ni * nj * nk, 'so does its verification')
  bad = 0
  do i = 1, ni, width
    call solved_run(diag, side, y, i, i + width - 1, 1, 1, 1, nk, rc, workspace=workspace)
    if (rc /= STENCIL_OK) bad = bad + 1
    call solved_run(diag, side, y, i, i + width - 1, 2, 2, 1, nk, rc, workspace=workspace)
    if (rc /= STENCIL_OK) bad = bad + 1
  end do
  call expect(bad == 0 .and. all(x >= y .and. x <= y), 'parts of the domain give the same in the same workspace')
  call solved_run(diag, side, y, 1, ni, 1, nj, 1, few, rc)
  call expect(rc == STENCIL_OK, 'without one the small domain is computed')
  deallocate (workspace)
  bytes = smoothed_workspace_bytes(ni, nj, few)
  call expect(bytes > 0, 'what must be on the heap is in the workspace of small domains, too')
  call smoothed_run(x, y, 1, ni, 1, nj, 1, few, rc, failure)
  call expect(rc == STENCIL_ESETUP .and. failure%needed == bytes, 'and without one the call fails')
  allocate (workspace(bytes))
  x = 1.0_wp
  y = 5.0_wp
  call smoothed_run(x, y, 1, ni, 1, nj, 1, few, rc, failure, workspace)
  call expect(rc == STENCIL_OK .and. all(x(:, :, :few) + y(:, :, :few) <= 6.0_wp), 'with one it is computed')
  call expect(all(x(:, :, :few) >= 2.0_wp .and. x(:, :, :few) <= 2.0_wp), 'as it is elsewhere')

contains

  subroutine expect(holds, rule)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: rule

    print '(a, 1x, a)', merge('ok    ', 'BROKEN', holds), rule
  end subroutine expect

end program workspaces
