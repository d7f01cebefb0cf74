import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import type { Registration } from '#web/sign-in/checks.ts'

/** The inviter, the link, and the known form values. */
export type Invited = {
  readonly token: string
  readonly inviter: string
  readonly filled: Partial<Registration>
}
type Update = {
  readonly inviter: string
  readonly name: string
  readonly social_credit_code: string
  readonly registrant: string
  readonly registrant_phone: string
}
const DEALER = 2

/** Opens an invitation link: returns the form's values, or the message why the link is no longer valid. */
export function useInvitation(): { readonly invited: Invited | null; readonly refused: string | null } {
  const [search] = useSearchParams()
  const token = search.get('invite')
  const asked = useQuery({
    queryKey: ['invitation', token],
    enabled: token !== null,
    retry: false,
    staleTime: Infinity,
    queryFn: async (): Promise<Invited> => {
      const { info } = await get<Update>('/v1/register/invitation', { token: token ?? '' }, { bare: true })
      const { name, social_credit_code, registrant, registrant_phone } = info
      const filled: Partial<Registration> = {
        system_type: DEALER,
        name,
        social_credit_code,
        registrant,
        registrant_phone,
      }
      return { token: token ?? '', inviter: info.inviter, filled }
    },
  })
  return { invited: asked.data ?? null, refused: asked.isError ? sentenceOf(asked.error) : null }
}
