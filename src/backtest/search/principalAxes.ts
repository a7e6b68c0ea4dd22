/**
 * The axes of a symmetric matrix and how long it is along each, by rotations that take one off-diagonal element to zero at a time
 * (C. G. J. Jacobi, 1846; cyclic, as in G. H. Golub, C. F. Van Loan, Matrix Computations, 8.5): sums, products and square roots alone,
 * which are the same on every machine.
 */
export type Matrix = readonly (readonly number[])[]

/** Eigenvalues, and the eigenvectors as the columns of a matrix. */
export interface PrincipalAxes {
  readonly values: number[]
  readonly vectors: Matrix
}

const SWEEPS = 50
/** What is left off the diagonal, as a share of what is on it. */
const NEGLIGIBLE = 1e-30

export function axesOf(matrix: Matrix): PrincipalAxes {
  const n = matrix.length
  const a = matrix.map((row) => [...row])
  const v = matrix.map((row, i) => row.map((_, j) => Number(i === j)))
  for (let sweep = 0; sweep < SWEEPS && !isDiagonal(a); sweep++)
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) rotate(a, v, p, q)
  return { values: a.map((row, i) => row[i] as number), vectors: v }
}

function isDiagonal(a: readonly (readonly number[])[]): boolean {
  let [off, on] = [0, 0]
  for (const [i, row] of a.entries())
    for (const [j, value] of row.entries())
      if (i === j) on += value * value
      else off += value * value
  return off <= NEGLIGIBLE * on
}

/** Turns the plane of two axes so that their element is zero. */
function rotate(a: number[][], v: number[][], p: number, q: number): void {
  const of = (m: number[][], i: number, j: number) => m[i]?.[j] as number
  const off = of(a, p, q)
  if (off === 0) return
  const tau = (of(a, q, q) - of(a, p, p)) / (2 * off)
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau))
  const c = 1 / Math.sqrt(1 + t * t)
  const s = t * c
  for (const m of [a, v])
    for (const row of m) {
      const [x, y] = [row[p] as number, row[q] as number]
      row[p] = c * x - s * y
      row[q] = s * x + c * y
    }
  const [rowP, rowQ] = [a[p] as number[], a[q] as number[]]
  for (let k = 0; k < a.length; k++) {
    const [x, y] = [rowP[k] as number, rowQ[k] as number]
    rowP[k] = c * x - s * y
    rowQ[k] = s * x + c * y
  }
}
