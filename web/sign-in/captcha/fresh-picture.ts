import { useCallback, useEffect, useState } from 'react'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'

type Loaded<Picture> = { readonly turn: number; readonly picture: Picture | null; readonly failure: string | null }
export type FreshPicture<Picture> = {
  readonly picture: Picture | null
  readonly failure: string | null
  readonly reload: () => void
}

/** A captcha's picture: every refresh loads another, and the previous one disappears at once. */
export function useFreshPicture<Picture>(path: string): FreshPicture<Picture> {
  const [turn, setTurn] = useState(0)
  const [loaded, setLoaded] = useState<Loaded<Picture>>({ turn: -1, picture: null, failure: null })
  useEffect(() => {
    const leaving = new AbortController()
    get<Picture>(path, {}, { bare: true, signal: leaving.signal }).then(
      ({ info }) => setLoaded({ turn, picture: info, failure: null }),
      thrown => !leaving.signal.aborted && setLoaded({ turn, picture: null, failure: sentenceOf(thrown) }),
    )
    return () => leaving.abort()
  }, [path, turn])
  const isNow = loaded.turn === turn
  return {
    picture: isNow ? loaded.picture : null,
    failure: isNow ? loaded.failure : null,
    reload: useCallback(() => setTurn(before => before + 1), []),
  }
}
