/**
 * Styles that libraries write at run time pass the page's content policy by its nonce, which the server puts on this element.
 * Some of them take a nonce and some do not, so every style element gets it where it is made.
 */
export function markStyles(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
  if (!nonce) return
  const create = document.createElement.bind(document)
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }) as typeof document.createElement
}
