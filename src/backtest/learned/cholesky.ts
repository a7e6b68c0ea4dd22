/** Solves A·x = b for a symmetric, positive definite A (A.-L. Cholesky; Golub and Van Loan, Matrix Computations, 4th ed., §4.2). */

/** @param matrix row after row; only what is on and below the diagonal is read, and it is overwritten by its factor. */
export function solved(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length
  const at = (row: number, column: number) => matrix[row * size + column] as number
  for (let column = 0; column < size; column++)
    for (let row = column; row < size; row++) {
      let sum = at(row, column)
      for (let k = 0; k < column; k++) sum -= at(row, k) * at(column, k)
      matrix[row * size + column] = row === column ? Math.sqrt(sum) : sum / at(column, column)
    }
  const x = right.slice()
  for (let row = 0; row < size; row++) {
    let sum = x[row] as number
    for (let k = 0; k < row; k++) sum -= at(row, k) * (x[k] as number)
    x[row] = sum / at(row, row)
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = x[row] as number
    for (let k = row + 1; k < size; k++) sum -= at(k, row) * (x[k] as number)
    x[row] = sum / at(row, row)
  }
  return x
}
