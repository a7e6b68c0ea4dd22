/** Texts that stand out from what is behind them by less than 4.5 to 1; what is disabled may (WCAG 2.2, 1.4.3). */
export const faintIn = (place: string): string => `(() => {
  const channels = (colour) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor)
      if (colour[3] === 255) return colour
    }
    return [255, 255, 255, 255]
  }
  const faint = []
  const texts = document.createTreeWalker(document.querySelector('${place}'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    if (texts.currentNode.textContent.trim() === '' || !element.checkVisibility()) continue
    if (element.closest('button:disabled, option, script, style')) continue
    const style = getComputedStyle(element)
    const [a, b] = [light(channels(element instanceof SVGElement ? style.fill : style.color)), light(behind(element))]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (contrast < 4.5) faint.push(texts.currentNode.textContent.trim() + ' ' + contrast.toFixed(2))
  }
  return faint
})()`
