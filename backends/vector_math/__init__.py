"""Mathematical functions without branches and tables, which compilers turn into vector instructions.

Each is written once, over whatever knows the operators: NumPy numbers and arrays (`on_arrays`), or values
of a code generator. All give the same bits, since every step is one IEEE operation that leaves nothing to
choose. Methods are those of textbooks: reduction of the argument after Cody and Waite, polynomials of
least error by the schemes of Estrin and Horner, sums and products of two numbers after Dekker and Knuth.
"""
