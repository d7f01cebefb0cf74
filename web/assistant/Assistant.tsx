import { useState } from 'react'
import { useLocation } from 'react-router'
import { AssistantDrawer } from '#web/assistant/AssistantDrawer.tsx'
import { AssistantIcon } from '#web/assistant/AssistantIcon.tsx'

/** The assistant's icon and its drawer; not on the big screen. */
export function Assistant() {
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  if (pathname.includes('/bi1')) return null
  return (
    <>
      <AssistantIcon onOpen={() => setOpen(true)} />
      <AssistantDrawer open={open} onClose={() => setOpen(false)} />
    </>
  )
}
