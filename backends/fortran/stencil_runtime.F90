! What all modules with stencils share: kinds, status codes, failures, saved values and comparisons.
module stencil_runtime

  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_pointer, c_float, c_int8_t, c_int16_t, c_int32_t, &
    c_int64_t, c_intptr_t, c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  private

  integer, parameter, public :: wp = c_double  ! of fields and scalars of 64 bits
  integer, parameter, public :: vp = c_float   ! of those of 32 bits

  ! What a call returns.
  integer, parameter, public :: STENCIL_UNSET = 0
  integer, parameter, public :: STENCIL_OK = 1
  integer, parameter, public :: STENCIL_ESETUP = 2    ! an argument is missing, or memory is shared
  integer, parameter, public :: STENCIL_ESHAPE = 3    ! an array is too small for the domain and its halo
  integer, parameter, public :: STENCIL_EBOUNDS = 4   ! sizes of the domain, its levels, bounds of intervals
  integer, parameter, public :: STENCIL_ERUNTIME = 5  ! a check failed in the stencil
  integer, parameter, public :: STENCIL_EVERIFY = 6   ! results differ from those that were expected

  ! What values are, for those who have but their address.
  integer, parameter, public :: STENCIL_F64 = 1, STENCIL_F32 = 2, STENCIL_I64 = 3, STENCIL_I32 = 4, STENCIL_I16 = 5
  integer, parameter, public :: STENCIL_I8 = 6, STENCIL_BOOL = 7

  integer, parameter :: longest_name = 63
  integer, parameter :: longest_message = 256
  integer(c_int64_t), parameter :: line_bytes = 64  ! where a workspace has to begin: at a multiple of this

  ! What went wrong; the same record as in the C header of a library.
  type, bind(c), public :: stencil_failure
    integer(c_int32_t) :: status = int(STENCIL_UNSET, c_int32_t)
    integer(c_int32_t) :: field = -1_c_int32_t  ! number of the argument, fields from 0, then scalars; or -1
    integer(c_int32_t) :: axis = -1_c_int32_t   ! 0, 1, 2 for i, j, k; or -1
    integer(c_int32_t) :: line = 0_c_int32_t    ! source line of a failed check; or 0
    integer(c_int64_t) :: needed = 0_c_int64_t
    integer(c_int64_t) :: given = 0_c_int64_t
    integer(c_int64_t) :: index(3) = 0_c_int64_t  ! i, j, k of a failed check, 0 for the first point of the domain
    real(c_double) :: values(4) = 0.0_c_double
    integer(c_int32_t) :: value_count = 0_c_int32_t
    character(kind=c_char) :: message(longest_message) = ' '
  end type stencil_failure

  ! How far results may be from those expected: absolute + relative * abs(expected). Without a field for all.
  type, public :: stencil_tolerance
    character(len=longest_name) :: field = ' '
    real(wp) :: relative = 0.0_wp
    real(wp) :: absolute = 0.0_wp
  end type stencil_tolerance

  ! Without a tolerance of their own: what a few roundings do to numbers near one.
  type(stencil_tolerance), parameter :: default_f64 = stencil_tolerance(relative=1.0e-12_wp, absolute=1.0e-14_wp)
  type(stencil_tolerance), parameter :: default_f32 = stencil_tolerance(relative=1.0e-5_wp, absolute=1.0e-6_wp)

  ! Values of some boxes of a field; box n is first i, j, k and last i, j, k, counted from 1.
  type :: saved_box
    integer :: field
    integer(c_int64_t) :: box(6)
    integer(c_int8_t), allocatable :: values(:, :, :)
  end type saved_box

  ! The values of one field on entry that its stencil may see, or keep.
  type, public :: stencil_saved_field
    character(len=longest_name) :: name = ' '
    integer(c_int64_t) :: bytes = 0_c_int64_t  ! of all copies that were made
  end type stencil_saved_field

  ! What a stencil needs of its fields after the model has computed its own results into them.
  type, public :: stencil_before
    character(len=longest_name) :: stencil = ' '
    type(stencil_saved_field), allocatable :: fields(:)
    type(saved_box), allocatable, private :: boxes(:)
  contains
    procedure :: start => start_before
    procedure :: save => save_boxes
    procedure :: restore => restore_boxes
    procedure :: bytes => bytes_of_copies
    procedure :: print => print_before
  end type stencil_before

  ! How the results for one field compare with those expected.
  type, public :: stencil_field_metrics
    character(len=longest_name) :: name = ' '
    integer(c_int64_t) :: points = 0_c_int64_t    ! that were compared
    integer(c_int64_t) :: failures = 0_c_int64_t  ! of which differ by more than the tolerance
    integer :: first(3) = 0                       ! i, j, k of the first of these, in the arrays
    real(wp) :: computed = 0.0_wp                 ! by the stencil, there
    real(wp) :: expected = 0.0_wp                 ! by the model, there
    real(wp) :: largest_absolute = 0.0_wp         ! of all differences
    real(wp) :: largest_relative = 0.0_wp
  end type stencil_field_metrics

  ! How the results of a stencil compare; calls add up until another value is assigned.
  type, public :: stencil_metrics
    character(len=longest_name) :: stencil = ' '
    type(stencil_field_metrics), allocatable :: fields(:)
  contains
    procedure :: start => start_metrics
    procedure :: points => points_compared
    procedure :: failures => failures_found
    procedure :: print => print_metrics
    procedure :: compare => compare_boxes
    procedure :: judge => judge_metrics
    procedure :: add => add_metrics
    procedure, private :: note
  end type stencil_metrics

  ! Memory that a kernel computes into instead of a field.
  type, public :: stencil_scratch
    integer(c_int8_t), allocatable, private :: bytes(:)
  contains
    procedure :: allocate => allocate_scratch
  end type stencil_scratch

  public :: stencil_finish, stencil_message, stencil_check_blocks, stencil_name_block, stencil_workspace
  public :: stencil_check_before, stencil_check_saved_blocks, stencil_workspace_size, stencil_differing_values

contains

  ! The message of a failure.
  pure function stencil_message(failure) result(text)
    type(stencil_failure), intent(in) :: failure
    character(len=:), allocatable :: text
    integer :: n, length

    length = longest_message
    do n = longest_message, 1, -1
      if (failure%message(n) == char(0)) length = n - 1
    end do
    allocate (character(len=length) :: text)
    do n = 1, length
      text(n:n) = failure%message(n)
    end do
    text = trim(text)
  end function stencil_message

  ! Ends a call: tells the caller the status, or stops the program.
  subroutine stencil_finish(stencil, outcome, rc, failure)
    character(len=*), intent(in) :: stencil
    type(stencil_failure), intent(in) :: outcome
    integer, intent(out), optional :: rc
    type(stencil_failure), intent(out), optional :: failure

    if (present(failure)) failure = outcome
    if (present(rc)) then
      rc = int(outcome%status)
    else if (outcome%status /= STENCIL_OK) then
      error stop stencil // ': ' // stencil_message(outcome)
    end if
  end subroutine stencil_finish

  pure subroutine fail(failure, status, message, needed, given)
    type(stencil_failure), intent(inout) :: failure
    integer, intent(in) :: status
    character(len=*), intent(in) :: message
    integer(c_int64_t), intent(in) :: needed, given
    integer :: n

    failure%status = int(status, c_int32_t)
    failure%needed = needed
    failure%given = given
    failure%message = char(0)
    do n = 1, min(len(message), longest_message - 1)
      failure%message(n) = message(n:n)
    end do
  end subroutine fail

  pure function text_of(number) result(text)
    integer(c_int64_t), intent(in) :: number
    character(len=:), allocatable :: text
    character(len=24) :: digits

    write (digits, '(i0)') number
    text = trim(digits)
  end function text_of

  ! A failure unless an array (its extents, and its number of blocks last) has points, and all blocks of a range.
  pure subroutine stencil_check_blocks(number, field, extents, block_start, block_end, failure)
    integer, intent(in) :: number
    character(len=*), intent(in) :: field
    integer(c_int64_t), intent(in) :: extents(:)
    integer, intent(in) :: block_start, block_end
    type(stencil_failure), intent(inout) :: failure
    integer(c_int64_t) :: needed, given

    if (failure%status > STENCIL_OK .or. block_start > block_end) return
    if (any(extents(:size(extents) - 1) < 1_c_int64_t)) then
      call fail(failure, STENCIL_ESHAPE, 'Field ''' // field // ''' has no points.', 1_c_int64_t, 0_c_int64_t)
      failure%field = int(number, c_int32_t)
    else if (block_start < 1) then
      call fail(failure, STENCIL_EBOUNDS, 'The first block is too small: at least 1 needed, ' // &
        text_of(int(block_start, c_int64_t)) // ' given.', 1_c_int64_t, int(block_start, c_int64_t))
    else if (int(block_end, c_int64_t) > extents(size(extents))) then
      needed = int(block_end, c_int64_t)
      given = extents(size(extents))
      call fail(failure, STENCIL_ESHAPE, 'Field ''' // field // ''' has too few blocks: ' // text_of(needed) // &
        ' needed, ' // text_of(given) // ' given.', needed, given)
      failure%field = int(number, c_int32_t)
    end if
  end subroutine stencil_check_blocks

  ! Adds the number of the block to the message of a failure.
  pure subroutine stencil_name_block(block, failure)
    integer, intent(in) :: block
    type(stencil_failure), intent(inout) :: failure

    call fail(failure, int(failure%status), stencil_message(failure) // ' (block ' // &
      text_of(int(block, c_int64_t)) // ')', failure%needed, failure%given)
  end subroutine stencil_name_block

  ! The bytes that a caller provides, so that a kernel finds those that it needs where it wants them.
  pure function stencil_workspace_size(needed) result(bytes)
    integer(c_int64_t), intent(in) :: needed
    integer(c_int64_t) :: bytes

    bytes = merge(needed + line_bytes - 1_c_int64_t, 0_c_int64_t, needed > 0_c_int64_t)
  end function stencil_workspace_size

  ! The address in a workspace from which on there are as many bytes as needed; a failure if there are fewer.
  subroutine stencil_workspace(needed, address, failure, workspace)
    integer(c_int64_t), intent(in) :: needed
    type(c_ptr), intent(out) :: address
    type(stencil_failure), intent(inout) :: failure
    integer(c_int8_t), contiguous, intent(inout), optional, target :: workspace(:)
    integer(c_int64_t) :: given, wanted, first

    address = c_null_ptr
    wanted = stencil_workspace_size(needed)
    if (failure%status > STENCIL_OK .or. wanted == 0_c_int64_t) return
    given = 0_c_int64_t
    if (present(workspace)) given = size(workspace, kind=c_int64_t)
    if (given < wanted) then
      call fail(failure, STENCIL_ESETUP, 'The workspace is too small: ' // text_of(wanted) // ' bytes needed, ' // &
        text_of(given) // ' given.', wanted, given)
      return
    end if
    first = 1_c_int64_t + modulo(-int(transfer(c_loc(workspace), 0_c_intptr_t), c_int64_t), line_bytes)
    address = c_loc(workspace(first))
  end subroutine stencil_workspace

  ! A view of an array as bytes; those of a value stand along the first axis.
  function bytes_of(address, value_bytes, extents) result(bytes)
    type(c_ptr), intent(in) :: address
    integer(c_int64_t), intent(in) :: value_bytes, extents(3)
    integer(c_int8_t), pointer :: bytes(:, :, :)

    call c_f_pointer(address, bytes, [value_bytes * extents(1), extents(2), extents(3)])
  end function bytes_of

  ! The part of a box that lies inside an array.
  pure function inside(box, extents) result(part)
    integer(c_int64_t), intent(in) :: box(6), extents(3)
    integer(c_int64_t) :: part(6)

    part(1:3) = max(box(1:3), 1_c_int64_t)
    part(4:6) = min(box(4:6), extents)
  end function inside

  ! Forgets what was saved before; then fields are saved by their numbers.
  subroutine start_before(self, stencil, names)
    class(stencil_before), intent(inout) :: self
    character(len=*), intent(in) :: stencil
    character(len=*), intent(in) :: names(:)

    self%stencil = stencil
    if (allocated(self%fields)) deallocate (self%fields)
    allocate (self%fields(size(names)))
    self%fields%name = names
    if (allocated(self%boxes)) deallocate (self%boxes)
    allocate (self%boxes(0))
  end subroutine start_before

  ! Copies boxes of a field.
  subroutine save_boxes(self, field, address, value_bytes, extents, boxes)
    class(stencil_before), intent(inout) :: self
    integer, intent(in) :: field
    type(c_ptr), intent(in) :: address
    integer(c_int64_t), intent(in) :: value_bytes, extents(3), boxes(:, :)
    integer(c_int8_t), pointer :: bytes(:, :, :)
    integer(c_int64_t) :: b(6)
    integer :: n

    bytes => bytes_of(address, value_bytes, extents)
    do n = 1, size(boxes, 2)
      b = inside(boxes(:, n), extents)
      if (is_held(b, self%boxes, field)) cycle
      call add_box(self%boxes, field, b)
      associate (saved => self%boxes(size(self%boxes)))
        saved%values = bytes(value_bytes * (b(1) - 1_c_int64_t) + 1_c_int64_t:value_bytes * b(4), b(2):b(5), b(3):b(6))
        self%fields(field)%bytes = self%fields(field)%bytes + size(saved%values, kind=c_int64_t)
      end associate
    end do
  end subroutine save_boxes

  ! Whether a box has no points, or only such that were saved before.
  pure function is_held(box, saved, field) result(held)
    integer(c_int64_t), intent(in) :: box(6)
    type(saved_box), intent(in) :: saved(:)
    integer, intent(in) :: field
    logical :: held
    integer :: n

    held = any(box(1:3) > box(4:6))
    do n = 1, size(saved)
      if (saved(n)%field /= field) cycle
      held = held .or. (all(box(1:3) >= saved(n)%box(1:3)) .and. all(box(4:6) <= saved(n)%box(4:6)))
    end do
  end function is_held

  ! Adds a box without values; those of the others move.
  subroutine add_box(boxes, field, box)
    type(saved_box), allocatable, intent(inout) :: boxes(:)
    integer, intent(in) :: field
    integer(c_int64_t), intent(in) :: box(6)
    type(saved_box), allocatable :: more(:)
    integer :: n

    allocate (more(size(boxes) + 1))
    do n = 1, size(boxes)
      more(n)%field = boxes(n)%field
      more(n)%box = boxes(n)%box
      call move_alloc(boxes(n)%values, more(n)%values)
    end do
    more(size(more))%field = field
    more(size(more))%box = box
    call move_alloc(more, boxes)
  end subroutine add_box

  ! Copies what was saved of a field to where it lay, in an array of the same extents.
  subroutine restore_boxes(self, field, address, value_bytes, extents)
    class(stencil_before), intent(in) :: self
    integer, intent(in) :: field
    type(c_ptr), intent(in) :: address
    integer(c_int64_t), intent(in) :: value_bytes, extents(3)
    integer(c_int8_t), pointer :: bytes(:, :, :)
    integer :: n

    bytes => bytes_of(address, value_bytes, extents)
    do n = 1, size(self%boxes)
      if (self%boxes(n)%field /= field) cycle
      associate (values => self%boxes(n)%values, b => self%boxes(n)%box)
        bytes(value_bytes * (b(1) - 1_c_int64_t) + 1_c_int64_t:value_bytes * b(4), b(2):b(5), b(3):b(6)) = values
      end associate
    end do
  end subroutine restore_boxes

  ! The bytes of all copies.
  pure function bytes_of_copies(self) result(bytes)
    class(stencil_before), intent(in) :: self
    integer(c_int64_t) :: bytes

    bytes = 0_c_int64_t
    if (allocated(self%fields)) bytes = sum(self%fields%bytes)
  end function bytes_of_copies

  ! A table of the copies that were made.
  subroutine print_before(self, unit)
    class(stencil_before), intent(in) :: self
    integer, intent(in), optional :: unit
    integer :: n, out

    out = output_unit
    if (present(unit)) out = unit
    if (.not. allocated(self%fields)) return
    write (out, '(a)') trim(self%stencil) // ': copies before the call'
    do n = 1, size(self%fields)
      write (out, '(2x, a, i14, a)') self%fields(n)%name(:width_of(self%fields%name)), self%fields(n)%bytes, ' bytes'
    end do
  end subroutine print_before

  ! The length of the longest name, and of a heading.
  pure function width_of(names) result(width)
    character(len=*), intent(in) :: names(:)
    integer :: width

    width = max(len('field'), maxval(len_trim(names)))
  end function width_of

  ! A failure unless the values of this stencil were saved.
  pure subroutine stencil_check_before(stencil, before, failure)
    character(len=*), intent(in) :: stencil
    type(stencil_before), intent(in) :: before
    type(stencil_failure), intent(inout) :: failure

    if (failure%status > STENCIL_OK) return
    if (.not. allocated(before%fields) .or. before%stencil /= stencil) then
      call fail(failure, STENCIL_ESETUP, 'No values were saved before the call.', 1_c_int64_t, 0_c_int64_t)
    end if
  end subroutine stencil_check_before

  ! A failure unless values of these blocks were saved.
  pure subroutine stencil_check_saved_blocks(before, block_start, block_end, failure)
    type(stencil_before), allocatable, intent(in) :: before(:)
    integer, intent(in) :: block_start, block_end
    type(stencil_failure), intent(inout) :: failure
    logical :: is_saved

    if (failure%status > STENCIL_OK .or. block_start > block_end) return
    is_saved = allocated(before)
    if (is_saved) is_saved = lbound(before, 1) <= block_start .and. block_end <= ubound(before, 1)
    if (.not. is_saved) then
      call fail(failure, STENCIL_ESETUP, 'No values of these blocks were saved before the call.', 1_c_int64_t, 0_c_int64_t)
    end if
  end subroutine stencil_check_saved_blocks

  ! Memory for values of a field: what was saved in its place, and NaN and the like elsewhere.
  function allocate_scratch(self, before, field, value_bytes, extents) result(address)
    class(stencil_scratch), intent(inout), target :: self
    type(stencil_before), intent(in) :: before
    integer, intent(in) :: field
    integer(c_int64_t), intent(in) :: value_bytes, extents(3)
    type(c_ptr) :: address

    allocate (self%bytes(max(1_c_int64_t, value_bytes * product(extents))))
    self%bytes = -1_c_int8_t  ! the bits of a NaN, of -1, of a true
    address = c_loc(self%bytes)
    call before%restore(field, address, value_bytes, extents)
  end function allocate_scratch

  ! Begins to compare, or goes on after another call.
  subroutine start_metrics(self, stencil, names)
    class(stencil_metrics), intent(inout) :: self
    character(len=*), intent(in) :: stencil
    character(len=*), intent(in) :: names(:)

    if (allocated(self%fields) .and. self%stencil == stencil) return
    self%stencil = stencil
    if (allocated(self%fields)) deallocate (self%fields)
    allocate (self%fields(size(names)))
    self%fields%name = names
  end subroutine start_metrics

  pure function points_compared(self) result(points)
    class(stencil_metrics), intent(in) :: self
    integer(c_int64_t) :: points

    points = 0_c_int64_t
    if (allocated(self%fields)) points = sum(self%fields%points)
  end function points_compared

  pure function failures_found(self) result(failures)
    class(stencil_metrics), intent(in) :: self
    integer(c_int64_t) :: failures

    failures = 0_c_int64_t
    if (allocated(self%fields)) failures = sum(self%fields%failures)
  end function failures_found

  ! A table with a line for each field that was compared.
  subroutine print_metrics(self, unit)
    class(stencil_metrics), intent(in) :: self
    integer, intent(in), optional :: unit
    integer :: n, out, width

    out = output_unit
    if (present(unit)) out = unit
    if (.not. allocated(self%fields)) return
    write (out, '(a)') trim(self%stencil) // ': results of the stencil against those expected'
    width = width_of(self%fields%name)
    write (out, '(2x, 5a)') 'field', repeat(' ', width - len('field')), '      points    failures', '  largest absolute', &
      '   and relative'
    do n = 1, size(self%fields)
      associate (item => self%fields(n))
        if (item%points == 0_c_int64_t) cycle
        write (out, '(2x, a, 2i12, 6x, es12.4, 3x, es12.4)') item%name(:width), item%points, item%failures, &
          item%largest_absolute, item%largest_relative
        if (item%failures > 0_c_int64_t) write (out, '(4x, 2a)') 'first ', point_text(item)
      end associate
    end do
  end subroutine print_metrics

  ! Where and how results differ first.
  function point_text(item) result(text)
    type(stencil_field_metrics), intent(in) :: item
    character(len=:), allocatable :: text
    character(len=120) :: line

    write (line, '(a, i0, a, i0, a, i0, a, es23.15e3, a, es23.15e3, a)') 'at (', item%first(1), ', ', item%first(2), &
      ', ', item%first(3), '):', item%computed, ' computed,', item%expected, ' expected'
    text = trim(line)
  end function point_text

  ! A failure if any result differs by more than its tolerance.
  subroutine judge_metrics(self, failure)
    class(stencil_metrics), intent(in) :: self
    type(stencil_failure), intent(inout) :: failure
    integer :: n

    if (failure%status /= STENCIL_OK .or. .not. allocated(self%fields)) return
    do n = 1, size(self%fields)
      associate (item => self%fields(n))
        if (item%failures > 0_c_int64_t) then
          call fail(failure, STENCIL_EVERIFY, 'Field ''' // trim(item%name) // ''' differs at ' // &
            text_of(item%failures) // ' of ' // text_of(item%points) // ' points, first ' // point_text(item) // '.', &
            0_c_int64_t, item%failures)
          failure%field = int(n - 1, c_int32_t)
          return
        end if
      end associate
    end do
  end subroutine judge_metrics

  ! Adds what another call has found.
  subroutine add_metrics(self, other)
    class(stencil_metrics), intent(inout) :: self
    type(stencil_metrics), intent(in) :: other
    integer :: n

    if (.not. allocated(other%fields)) return
    call self%start(other%stencil, other%fields%name)
    do n = 1, size(self%fields)
      associate (total => self%fields(n), item => other%fields(n))
        if (total%failures == 0_c_int64_t .and. item%failures > 0_c_int64_t) then
          total%first = item%first
          total%computed = item%computed
          total%expected = item%expected
        end if
        total%points = total%points + item%points
        total%failures = total%failures + item%failures
        total%largest_absolute = max(total%largest_absolute, item%largest_absolute)
        total%largest_relative = max(total%largest_relative, item%largest_relative)
      end associate
    end do
  end subroutine add_metrics

  pure function tolerance_of(name, kind, tolerances) result(found)
    character(len=*), intent(in) :: name
    integer, intent(in) :: kind
    type(stencil_tolerance), intent(in), optional :: tolerances(:)
    type(stencil_tolerance) :: found
    integer :: n

    found = default_f64
    if (kind == STENCIL_F32) found = default_f32
    if (.not. present(tolerances)) return
    do n = 1, size(tolerances)
      if (tolerances(n)%field == ' ') found = tolerances(n)
    end do
    do n = 1, size(tolerances)
      if (tolerances(n)%field == name) found = tolerances(n)
    end do
  end function tolerance_of

  ! Whether a point of box n lies in an earlier box, where it has been compared already.
  pure function is_known(i, j, k, n, boxes) result(known)
    integer(c_int64_t), intent(in) :: i, j, k, boxes(:, :)
    integer, intent(in) :: n
    logical :: known
    integer :: other

    known = .false.
    do other = 1, n - 1
      known = known .or. (all([i, j, k] >= boxes(1:3, other)) .and. all([i, j, k] <= boxes(4:6, other)))
    end do
  end function is_known

  ! Enters one comparison.
  subroutine note(self, field, i, j, k, is_equal, computed, expected)
    class(stencil_metrics), intent(inout) :: self
    integer, intent(in) :: field
    integer(c_int64_t), intent(in) :: i, j, k
    logical, intent(in) :: is_equal
    real(wp), intent(in) :: computed, expected
    real(wp) :: difference

    associate (item => self%fields(field))
      item%points = item%points + 1_c_int64_t
      difference = abs(computed - expected)
      if (difference > item%largest_absolute) item%largest_absolute = difference
      if (abs(expected) > 0.0_wp) then
        if (difference / abs(expected) > item%largest_relative) item%largest_relative = difference / abs(expected)
      end if
      if (is_equal) return
      if (item%failures == 0_c_int64_t) then
        item%first = int([i, j, k])
        item%computed = computed
        item%expected = expected
      end if
      item%failures = item%failures + 1_c_int64_t
    end associate
  end subroutine note

  ! Whether numbers agree: NaN with NaN, infinities with themselves, others within the tolerance.
  pure function agrees(computed, expected, tolerance) result(agreeing)
    real(wp), intent(in) :: computed, expected
    type(stencil_tolerance), intent(in) :: tolerance
    logical :: agreeing

    if (computed >= expected .and. computed <= expected) then
      agreeing = .true.
    else if (is_nan(computed) .or. is_nan(expected)) then
      agreeing = is_nan(computed) .and. is_nan(expected)
    else if (abs(expected) > huge(expected)) then
      agreeing = .false.
    else
      agreeing = abs(computed - expected) <= tolerance%absolute + tolerance%relative * abs(expected)
    end if
  end function agrees

  pure function is_nan(value) result(nan)
    real(wp), intent(in) :: value
    logical :: nan

    nan = .not. (value >= 0.0_wp .or. value <= 0.0_wp)
  end function is_nan

  ! Compares boxes of two arrays of the same extents; indices along j count from 1 + j_before.
  subroutine compare_boxes(self, field, kind, computed, expected, extents, boxes, j_before, tolerances)
    class(stencil_metrics), intent(inout) :: self
    integer, intent(in) :: field, kind
    type(c_ptr), intent(in) :: computed, expected
    integer(c_int64_t), intent(in) :: extents(3), boxes(:, :), j_before
    type(stencil_tolerance), intent(in), optional :: tolerances(:)
    type(stencil_tolerance) :: tolerance
    real(wp), allocatable :: a(:), b(:)
    integer(c_int64_t), allocatable :: whole_a(:), whole_b(:)
    integer(c_int64_t) :: i, j, k
    integer :: n
    logical :: equal

    allocate (a(extents(1)), b(extents(1)), whole_a(extents(1)), whole_b(extents(1)))
    tolerance = tolerance_of(self%fields(field)%name, kind, tolerances)
    do n = 1, size(boxes, 2)
      do k = boxes(3, n), boxes(6, n)
        do j = boxes(2, n), boxes(5, n)
          call get_row(kind, computed, extents, j, k, a, whole_a)
          call get_row(kind, expected, extents, j, k, b, whole_b)
          do i = boxes(1, n), boxes(4, n)
            if (is_known(i, j, k, n, boxes)) cycle
            if (kind == STENCIL_F64 .or. kind == STENCIL_F32) then
              equal = agrees(a(i), b(i), tolerance)
            else
              equal = whole_a(i) == whole_b(i)
            end if
            call self%note(field, i, j + j_before, k, equal, a(i), b(i))
          end do
        end do
      end do
    end do
  end subroutine compare_boxes

  ! The values along i at j, k; whole numbers and logicals exactly, too.
  subroutine get_row(kind, address, extents, j, k, values, whole)
    integer, intent(in) :: kind
    type(c_ptr), intent(in) :: address
    integer(c_int64_t), intent(in) :: extents(3), j, k
    real(wp), intent(out) :: values(:)
    integer(c_int64_t), intent(out) :: whole(:)  ! of floating-point numbers 0
    real(c_double), pointer :: f64(:, :, :)
    real(c_float), pointer :: f32(:, :, :)
    integer(c_int64_t), pointer :: i64(:, :, :)
    integer(c_int32_t), pointer :: i32(:, :, :)
    integer(c_int16_t), pointer :: i16(:, :, :)
    integer(c_int8_t), pointer :: i8(:, :, :)

    whole = 0_c_int64_t
    select case (kind)
    case (STENCIL_F64)
      call c_f_pointer(address, f64, extents)
      values = real(f64(:, j, k), wp)
    case (STENCIL_F32)
      call c_f_pointer(address, f32, extents)
      values = real(f32(:, j, k), wp)
    case (STENCIL_I64)
      call c_f_pointer(address, i64, extents)
      whole = i64(:, j, k)
    case (STENCIL_I32)
      call c_f_pointer(address, i32, extents)
      whole = int(i32(:, j, k), c_int64_t)
    case (STENCIL_I16)
      call c_f_pointer(address, i16, extents)
      whole = int(i16(:, j, k), c_int64_t)
    case (STENCIL_I8)
      call c_f_pointer(address, i8, extents)
      whole = int(i8(:, j, k), c_int64_t)
    case default
      call c_f_pointer(address, i8, extents)
      whole = merge(1_c_int64_t, 0_c_int64_t, i8(:, j, k) /= 0_c_int8_t)
    end select
    if (kind /= STENCIL_F64 .and. kind /= STENCIL_F32) values = real(whole, wp)
  end subroutine get_row

  ! How many of so many values have other bits; a NaN has those of any other.
  function stencil_differing_values(kind, computed, expected, count) result(differing)
    integer, intent(in) :: kind
    type(c_ptr), intent(in) :: computed, expected
    integer(c_int64_t), intent(in) :: count
    integer(c_int64_t) :: differing
    integer(c_int64_t), parameter :: infinity_f64 = 9218868437227405312_c_int64_t
    integer(c_int64_t), parameter :: infinity_f32 = 2139095040_c_int64_t
    integer(c_int64_t) :: n, a, b, infinity

    differing = 0_c_int64_t
    infinity = huge(infinity)
    if (kind == STENCIL_F64) infinity = infinity_f64
    if (kind == STENCIL_F32) infinity = infinity_f32
    do n = 1_c_int64_t, count
      a = bits_of(kind, computed, n)
      b = bits_of(kind, expected, n)
      if (a == b) cycle
      if (magnitude(kind, a) > infinity .and. magnitude(kind, b) > infinity) cycle
      differing = differing + 1_c_int64_t
    end do
  end function stencil_differing_values

  ! The bits of a number without its sign.
  pure function magnitude(kind, bits) result(unsigned)
    integer, intent(in) :: kind
    integer(c_int64_t), intent(in) :: bits
    integer(c_int64_t) :: unsigned

    unsigned = ibclr(bits, merge(31, 63, kind == STENCIL_F32))
  end function magnitude

  ! The bits of value n of an array.
  function bits_of(kind, address, n) result(bits)
    integer, intent(in) :: kind
    type(c_ptr), intent(in) :: address
    integer(c_int64_t), intent(in) :: n
    integer(c_int64_t) :: bits
    integer(c_int64_t), pointer :: i64(:)
    integer(c_int32_t), pointer :: i32(:)
    integer(c_int16_t), pointer :: i16(:)
    integer(c_int8_t), pointer :: i8(:)

    select case (kind)
    case (STENCIL_F64, STENCIL_I64)
      call c_f_pointer(address, i64, [n])
      bits = i64(n)
    case (STENCIL_F32, STENCIL_I32)
      call c_f_pointer(address, i32, [n])
      bits = iand(int(i32(n), c_int64_t), 4294967295_c_int64_t)
    case (STENCIL_I16)
      call c_f_pointer(address, i16, [n])
      bits = int(i16(n), c_int64_t)
    case default
      call c_f_pointer(address, i8, [n])
      bits = int(i8(n), c_int64_t)
    end select
  end function bits_of

end module stencil_runtime
