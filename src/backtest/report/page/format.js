// Figures as people read them. Times are UTC.

/** @param {number} value @param {number} [digits] */
export function amount(value, digits = 2) {
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text
}

/** An amount with its sign. @param {number} value @param {number} [digits] */
export function signed(value, digits = 2) {
  const text = amount(value, digits)
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** A fraction as a percentage. @param {number} value @param {number} [digits] */
export function percent(value, digits = 2) {
  return `${amount(value * 100, digits)}%`
}

/** How deep a drawdown is, which is kept as a fraction below zero: without a sign, as all depths are told. @param {number} fall @param {number} [digits] */
export function depth(fall, digits = 2) {
  return percent(Math.abs(fall), digits)
}

/** Few digits for an axis: 9,500 or 12.5k. @param {number} value */
export function short(value) {
  const size = Math.abs(value)
  if (size >= 1e6) return `${amount(value / 1e6, 1)}m`
  if (size >= 1e5) return `${amount(value / 1e3, 0)}k`
  return amount(value, size < 1 && size > 0 ? 2 : size < 100 && value % 1 !== 0 ? 1 : 0)
}

/** As many digits as the value needs, up to nine. @param {number} value */
export function exact(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 1 ? 4 : 9 })
}

/** To the minute. @param {number} second */
export function moment(second) {
  return new Date(second * 1000).toISOString().slice(0, 16).replace('T', ' ')
}

/** @param {number} second */
export function day(second) {
  return new Date(second * 1000).toISOString().slice(0, 10)
}

/** @param {number} seconds */
export function span(seconds) {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  const hours = Math.floor(seconds / 3600)
  if (hours < 48) return `${hours} h ${Math.round((seconds % 3600) / 60)} min`
  return `${(seconds / 86_400).toFixed(1)} days`
}
