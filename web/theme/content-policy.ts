/**
 * Makes runtime styling of libraries comply with the page's content policy: style elements get the page's nonce
 * wherever they are created (not all libraries accept a nonce), and a style attribute is set through the style
 * object (the auto-growing textarea sets it as text).
 */
export function passContentPolicy(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
  if (!nonce) return
  const create = document.createElement.bind(document)
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }) as typeof document.createElement
  HTMLElement.prototype.setAttribute = function setAttribute(name: string, value: string): void {
    if (name === 'style') this.style.cssText = value
    else Element.prototype.setAttribute.call(this, name, value)
  }
}
