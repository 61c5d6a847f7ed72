!> The kind of all real numbers of the model.
module precision
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none (type, external)
  private

  integer, parameter, public :: wp = real64
end module precision
