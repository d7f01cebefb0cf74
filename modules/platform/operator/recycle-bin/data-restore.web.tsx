import { Tag } from '#web/fields/Tag.tsx'
import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** 查看关联数据: the data restored with a row, and the obstacle that prevents it today. */
function Related({ info }: { readonly info: Row }) {
  const { conflict, related } = info
  if (typeof conflict !== 'string' && typeof related !== 'string') return null
  return (
    <section aria-label="关联数据" style={{ marginBottom: 16 }}>
      {typeof conflict === 'string' && (
        <p>
          <Tag tone="danger">不能恢复</Tag> {conflict}
        </p>
      )}
      {typeof related === 'string' && (
        <p>
          <Tag tone="info">随之恢复</Tag> {related}
        </p>
      )}
    </section>
  )
}

export const dataRestoreLook: Customisation = { of: 'dataRestore', heads: [Related] }
