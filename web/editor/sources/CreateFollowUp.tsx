import { PlusOutlined } from '@ant-design/icons'
import { App, Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { forget } from '#web/engine/http/query-client.ts'
import { post } from '#web/engine/http/request.ts'
import { useSession } from '#web/engine/session/session.ts'
import { type FollowUp, followUpsOf, namedValues } from '#web/editor/sources/follow-ups.ts'
import type { DocumentView } from '#web/editor/document/document-view.ts'
import { useMenu } from '#web/shell/menu/menu.ts'
import { newValueQuery } from '#web/list/page/list-query.ts'
import { addressOf, NEW, routeOfKind } from '#web/shell/menu/screen-index.ts'

/**
 * 生成后续单据: creates a draft of a follow-up document with everything left of this document, and opens it; of one that
 * only names this document, the form.
 */
export function BeginFollowUp({ definition, info }: { definition: AnyDocument; info: DocumentView }) {
  const session = useSession()
  const { menu } = useMenu()
  const { message } = App.useApp()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  if (session === null || info.role === 'counterparty' || info.red_of_sn) return null
  const org = session.orgType
  const mayAdd = ({ target }: FollowUp): boolean => {
    const flags = menu.operations.get(routeOfKind(target.kind, org) ?? '')
    return flags !== undefined && (flags.has('add') || flags.has(`${target.kind}.add`))
  }
  const offers = followUpsOf(definition.kind, info.state, org).filter(mayAdd)
  if (offers.length === 0) return null
  const begin = async (offer: FollowUp) => {
    const { target } = offer
    if ('names' in offer) {
      const form = addressOf(target.kind, NEW, org, newValueQuery(namedValues(target, offer.names, info)))
      if (form !== null) await navigate(form)
      return
    }
    const { take } = offer
    setBusy(true)
    try {
      const form = { source_sn: info.sn, source_org_sn: info.org_sn, source_type: take.sourceType }
      const { info: made } = await post<{ sn: string }>(`/v1/business/${target.kind}/add`, form)
      forget(target.kind)
      forget(definition.kind)
      void message.success(`已生成${target.title}${made.sn}`)
      const address = addressOf(target.kind, made.sn, org)
      if (address !== null) await navigate(address)
    } catch (thrown) {
      void message.error(sentenceOf(thrown), 6)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dropdown
      trigger={['click']}
      disabled={busy}
      menu={{
        items: offers.map((offer, at) => ({ key: String(at), label: offer.label })),
        onClick: ({ key }) => void begin(offers[parseInteger(key)]!),
      }}
    >
      <Button icon={<PlusOutlined />} loading={busy}>
        生成后续单据
      </Button>
    </Dropdown>
  )
}
