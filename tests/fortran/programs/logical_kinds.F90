! Logicals of the default kind and of C's.
program logical_kinds
  use, intrinsic :: iso_c_binding, only: c_bool, c_int32_t
  use programs_dsl
  implicit none
  logical(c_bool) :: m(2, 2, 2), out(2, 2, 2)
  logical :: default_m(2, 2, 2), default_out(2, 2, 2)
  integer(c_int32_t) :: count(2, 2, 2)
  type(stencil_before) :: before
  type(stencil_metrics) :: metrics
  integer :: rc

  m = .false._c_bool
  m(1, 2, 1) = .true._c_bool
  default_m = logical(m)
  default_out = .true.
  count = 5_c_int32_t
  call logicals_run(m, out, count, .true._c_bool, 3_c_int32_t, 1, 2, 1, 2, 1, 2)
  call expect(all(out .eqv. m) .and. all(count == merge(5, 8, m)), 'logicals of C')
  count = 5_c_int32_t
  call logicals_save_before(default_m, default_out, count, .true., 3_c_int32_t, 1, 2, 1, 2, 1, 2, before)
  call logicals_run(default_m, default_out, count, .true., 3_c_int32_t, 1, 2, 1, 2, 1, 2)
  call expect(all(default_out .eqv. default_m) .and. all(count == merge(5, 8, m)), 'logicals of the default kind')
  call logicals_run_and_verify(default_m, default_out, count, .true., 3_c_int32_t, 1, 2, 1, 2, 1, 2, before, metrics, rc=rc)
  call expect(rc == STENCIL_OK .and. metrics%points() == 16, 'they are verified')
  default_out(2, 2, 2) = .true.
  call logicals_run_and_verify(default_m, default_out, count, .true., 3_c_int32_t, 1, 2, 1, 2, 1, 2, before, metrics, rc=rc)
  call expect(rc == STENCIL_EVERIFY .and. metrics%failures() == 1, 'a wrong one is found')

contains

  subroutine expect(holds, rule)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: rule

    print '(a, 1x, a)', merge('ok    ', 'BROKEN', holds), rule
  end subroutine expect

end program logical_kinds
