import { Typography } from 'antd'
import { type ShownSignature, signatureMethods, signatureRoles } from '#modules/hospital/signatures/signature-field.ts'
import { signatureInputOf } from '#modules/hospital/signatures/SignatureInput.tsx'
import css from '#modules/hospital/signatures/signatures.module.css'
import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { DrawnSignature } from '#web/fields/DrawnSignature.tsx'
import { Tag } from '#web/fields/Tag.tsx'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'

/**
 * The signatures of this document: signer, method and time, and whether the document still has the content that was
 * signed. Withdrawn ones stay on record.
 */
export function Signatures({ info }: { readonly info: Row }) {
  const signatures = (info.signatures ?? []) as readonly ShownSignature[]
  if (signatures.length === 0) return null
  return (
    <section aria-label="签名" style={{ marginTop: 16 }}>
      <Typography.Title level={5}>签名</Typography.Title>
      <ul className={css.list}>
        {signatures.map(each => (
          <li key={`${each.role}${each.at}`}>
            <span className="quiet">{signatureRoles[each.role]}</span>
            <span className={each.withdrawn_at === null ? '' : css.withdrawn}>{each.name}</span>
            {each.strokes !== null && <DrawnSignature strokes={each.strokes} name={each.name} />}
            <span>{signatureMethods[each.method]}</span>
            <span className="num">{wallTime(each.at)}</span>
            {each.withdrawn_at === null ? (
              <Tag tone={each.holds ? 'success' : 'danger'}>{each.holds ? '签名后内容未变更' : '签名后内容已变更'}</Tag>
            ) : (
              <span className="faint">
                {wallTime(each.withdrawn_at)} {each.withdrawn_by} 撤销：{each.withdrawn_reason}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Documents that are signed. */
export const signedLooks: readonly Customisation[] = ['surgeryUse', 'grantOdo', 'dispatch', 'bonePreAcceptance'].map(
  of => ({ of, inputs: { signature_sn: signatureInputOf(of) }, panels: [Signatures] }),
)
