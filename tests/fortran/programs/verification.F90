! Verification copies what the stencil sees or keeps, and finds what differs.
program verification
  use, intrinsic :: iso_c_binding, only: c_int16_t, c_int32_t, c_int64_t, c_int8_t
  use, intrinsic :: ieee_arithmetic, only: ieee_positive_inf, ieee_quiet_nan, ieee_value
  use programs_dsl
  implicit none
  integer, parameter :: ni = 5, nj = 4, nk = 6
  integer(c_int64_t), parameter :: level = 8 * ni * nj
  real(wp) :: a(ni, nj, nk), b(ni, nj, nk), x(ni, nj, nk), nan
  type(stencil_before) :: before
  type(stencil_before), allocatable :: of_blocks(:)
  type(stencil_metrics) :: metrics
  type(stencil_failure) :: failure
  integer(c_int64_t) :: n
  integer :: rc

  nan = ieee_value(nan, ieee_quiet_nan)
  call random_number(x)
  a = x
  call switched_save_before(a, b, .true., 1, ni, 1, nj, 1, nk, before)
  call expect(before%bytes() == nk * level, 'an intent under a condition is copied where the condition holds')
  call switched_save_before(a, b, .false., 1, ni, 1, nj, 1, nk, before)
  call expect(before%bytes() == 0, 'and not copied where it does not')
  do n = 0, nk
    call filled_from_save_before(a, b, n, 1, ni, 1, nj, 1, nk, before)
    call expect(before%bytes() == merge((nk - n) * level, 0_c_int64_t, n > 0), 'levels from a run-time bound on are copied')
  end do
  call filled_save_before(a, x, 1, ni, 1, nj, 1, nk, before)
  call expect(before%bytes() == 0, 'of an output nothing is copied')

  call filled_run(a, x, 1, ni, 1, nj, 1, nk)
  call filled_run_and_verify(a, x, 1, ni, 1, nj, 1, nk, before, metrics, rc=rc)
  call expect(rc == STENCIL_OK .and. metrics%points() == ni * nj * nk .and. metrics%failures() == 0, 'equal results pass')
  b = a
  a(2, 3, 4) = a(2, 3, 4) + 1.0e-6_wp
  a(4, 4, 5) = nan
  metrics = stencil_metrics()
  call filled_run_and_verify(a, x, 1, ni, 1, nj, 1, nk, before, metrics, rc=rc, failure=failure)
  call expect(rc == STENCIL_EVERIFY .and. metrics%failures() == 2, 'all differences are counted, NaN too')
  call expect(all(metrics%fields(1)%first == [2, 3, 4]), 'the first one is told by its index')
  call expect(abs(metrics%fields(1)%largest_absolute - 1.0e-6_wp) < 1.0e-9_wp, 'and how large the largest is')
  print '(a)', stencil_message(failure)
  a = b
  a(2, 3, 4) = a(2, 3, 4) + 1.0e-6_wp
  metrics = stencil_metrics()
  call filled_run_and_verify(a, x, 1, ni, 1, nj, 1, nk, before, metrics, [stencil_tolerance('a', 0.0_wp, 1.0e-5_wp)], rc)
  call expect(rc == STENCIL_OK, 'a tolerance for a field allows it')
  metrics = stencil_metrics()
  call filled_run_and_verify(a, x, 1, ni, 1, nj, 1, nk, before, metrics, [stencil_tolerance('x', 0.0_wp, 1.0e-5_wp)], rc)
  call expect(rc == STENCIL_EVERIFY, 'one for another field does not')
  x(1, 1, 1) = nan
  x(2, 1, 1) = ieee_value(nan, ieee_positive_inf)
  call filled_run(a, x, 1, ni, 1, nj, 1, nk)
  metrics = stencil_metrics()
  call filled_run_and_verify(a, x, 1, ni, 1, nj, 1, nk, before, metrics, rc=rc)
  call expect(rc == STENCIL_OK, 'NaN equals NaN, infinity infinity')
  metrics = stencil_metrics()
  call filled_run_and_verify(a, x, 1, ni, 1, nj, 2, nk, before, metrics, rc=rc)
  call expect(all(metrics%fields%points == [ni * nj * (nk - 1), 0]), 'only the domain is compared')

  call random_number(x)
  call filled_save_before_blocks(a, x, 1, nk, 1, ni, 1, nj, of_blocks)
  call filled_run_blocks(a, x, 1, nk, 1, ni, 1, nj)
  a(3, 2, 5) = a(3, 2, 5) + 1.0e-6_wp
  metrics = stencil_metrics()
  call filled_run_and_verify_blocks(a, x, 1, nk, 1, ni, 1, nj, of_blocks, metrics, rc=rc, failure=failure)
  call expect(rc == STENCIL_EVERIFY .and. all(metrics%fields(1)%first == [3, 5, 2]), 'in blocks the block is the second index')
  print '(a)', stencil_message(failure)

  call partial_run_and_verify(a, x, 1, ni, 1, nj, 1, nk, before, metrics, rc=rc)
  call expect(rc == STENCIL_ESETUP, 'what was saved for another stencil does not count')
  call verify_integers()
  deallocate (of_blocks)

contains

  subroutine verify_integers()
    integer(c_int8_t) :: i8(2, 2, 2)
    integer(c_int16_t) :: i16(2, 2, 2)
    integer(c_int32_t) :: i32(2, 2, 2)
    integer(c_int64_t) :: i64(2, 2, 2), out(2, 2, 2)

    i8 = 3_c_int8_t
    i16 = 4_c_int16_t
    i32 = 5_c_int32_t
    i64 = 9007199254740992_c_int64_t
    call integers_save_before(i8, i16, i32, i64, out, 7_c_int16_t, 1, 2, 1, 2, 1, 2, before)
    call integers_run(i8, i16, i32, i64, out, 7_c_int16_t, 1, 2, 1, 2, 1, 2)
    call expect(all(i16 == 11_c_int16_t), 'integers are computed')
    out(1, 2, 1) = out(1, 2, 1) + 1_c_int64_t
    metrics = stencil_metrics()
    call integers_run_and_verify(i8, i16, i32, i64, out, 7_c_int16_t, 1, 2, 1, 2, 1, 2, before, metrics, &
      [stencil_tolerance(' ', 1.0_wp, 1.0_wp)], rc)
    call expect(rc == STENCIL_EVERIFY .and. metrics%failures() == 1, 'integers are compared exactly')
  end subroutine verify_integers

  subroutine expect(holds, rule)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: rule

    print '(a, 1x, a)', merge('ok    ', 'BROKEN', holds), rule
  end subroutine expect

end program verification
