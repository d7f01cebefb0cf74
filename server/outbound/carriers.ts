/** Another system's answer, as shown to users who look into a call. */
export type Answered = { readonly status?: number; readonly text?: string } | void

/**
 * Sends a call to another system. The key is the same for every try, so that the other side can refuse duplicates.
 * Throws when the call did not succeed.
 */
export type Carrier = (payload: unknown, key: string) => Promise<Answered>
