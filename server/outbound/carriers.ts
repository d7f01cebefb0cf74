/** What another system answered, as far as a person who looks into a call wants to see it. */
export type Answered = { readonly status?: number; readonly text?: string } | void

/**
 * Carries a call to another system. The key is the same at every try, so that the other side can refuse what it has already
 * taken. Throws when the call did not succeed.
 */
export type Carrier = (payload: unknown, key: string) => Promise<Answered>
