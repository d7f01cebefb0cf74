/**
 * What libraries do at run time that the page's content policy lets nobody do by text: style elements get the nonce that the
 * server put on this page, wherever they are made (some libraries take a nonce and some do not), and a style attribute is set
 * through its object (the box of a growing text does it as text).
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
