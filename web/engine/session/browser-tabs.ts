/** A message from one tab to the others of the same browser. */
export type TabNews = { readonly is: 'out' } | { readonly is: 'in'; readonly userId: string }

const NAME = 'session-news'
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(NAME)

/** Browsers without BroadcastChannel use local storage, whose changes every other tab sees. */
export function notifyOtherTabs(news: TabNews): void {
  if (channel !== null) return channel.postMessage(news)
  localStorage.setItem(NAME, JSON.stringify({ ...news, at: Date.now() }))
}

/** Calls back with messages of other tabs, until the returned function is called. */
export function listenToOtherTabs(runPartnerActionHook: (news: TabNews) => void): () => void {
  const onMessage = (event: MessageEvent<TabNews>) => runPartnerActionHook(event.data)
  const onStorage = (event: StorageEvent) => {
    if (event.key === NAME && event.newValue !== null) runPartnerActionHook(JSON.parse(event.newValue) as TabNews)
  }
  channel?.addEventListener('message', onMessage)
  window.addEventListener('storage', onStorage)
  return () => {
    channel?.removeEventListener('message', onMessage)
    window.removeEventListener('storage', onStorage)
  }
}
