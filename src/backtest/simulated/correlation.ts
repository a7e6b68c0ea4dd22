/** Correlated shocks: independent normal deviates times the Cholesky factor of a correlation matrix. */

/**
 * The lower triangular L with L·Lᵀ = `matrix` (Cholesky–Banachiewicz).
 *
 * @throws RangeError for a matrix that is not square, symmetric, positive definite and one on its diagonal.
 */
export function choleskyFactor(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length
  const at = (row: number, column: number) => matrix[row]?.[column] ?? Number.NaN
  const factor = matrix.map(() => new Array<number>(size).fill(0))
  for (let row = 0; row < size; row++) {
    const current = factor[row] as number[]
    if (matrix[row]?.length !== size || at(row, row) !== 1) {
      throw new RangeError('a correlation matrix is square, with ones on its diagonal')
    }
    for (let column = 0; column <= row; column++) {
      if (at(row, column) !== at(column, row)) throw new RangeError('a correlation matrix is symmetric')
      const other = factor[column] as number[]
      let rest = at(row, column)
      for (let k = 0; k < column; k++) rest -= (current[k] as number) * (other[k] as number)
      if (row === column && !(rest > 0))
        throw new RangeError('the correlation matrix is not positive definite')
      current[column] = row === column ? Math.sqrt(rest) : rest / (other[column] as number)
    }
  }
  return factor
}

/** Writes L·`independent` to `correlated`. */
export function correlate(
  factor: readonly (readonly number[])[],
  independent: readonly number[],
  correlated: number[],
): void {
  for (let row = 0; row < factor.length; row++) {
    const weights = factor[row] as readonly number[]
    let sum = 0
    for (let column = 0; column <= row; column++)
      sum += (weights[column] as number) * (independent[column] as number)
    correlated[row] = sum
  }
}
