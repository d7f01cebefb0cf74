import { CameraOutlined, ScanOutlined } from '@ant-design/icons'
import { Button, Input, Space } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Customisation } from '#web/engine/customisation.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import type { InputProps, Row } from '#web/fields/field-renderer.ts'

const Camera = lazy(() => import('#web/scan/Camera.tsx'))

type Answer = { readonly from: 'his' | 'kept' | 'nowhere'; readonly said: string | null; readonly fields: Row }

/**
 * The patient of a use: a scan of the wristband, or a number with Enter, fills in what the HIS knows of him. What was
 * typed stays where it does not answer.
 */
function PatientInput({ kind, value, onChange, id, disabled, invalid }: InputProps & { readonly kind: string }) {
  const [said, setSaid] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [camera, setCamera] = useState(false)
  const typed = typeof value === 'string' ? value : ''
  const ask = async (scanned: string) => {
    const code = scanned.trim()
    if (code === '' || isAsking) return
    setCamera(false)
    setAsking(true)
    try {
      const { info } = await post<Answer>('/v1/business/his/bedside', { kind, code })
      setSaid(info.said)
      if (Object.keys(info.fields).length > 0) {
        const { patient_no = code, ...also } = info.fields
        onChange(patient_no, also)
      }
    } catch (error) {
      setSaid(sentenceOf(error))
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <Space.Compact block>
        <Input
          id={id}
          value={typed}
          disabled={disabled}
          maxLength={512}
          placeholder="扫腕带，或输入患者编号、住院号后回车"
          {...(invalid ? { status: 'error' as const } : {})}
          onChange={event => onChange(event.target.value === '' ? null : event.target.value)}
          onPressEnter={event => {
            event.preventDefault()
            void ask(typed)
          }}
        />
        <Button
          icon={<ScanOutlined />}
          title="查询HIS"
          aria-label="查询HIS"
          onClick={() => void ask(typed)}
          loading={isAsking}
          disabled={disabled || typed.trim() === ''}
        />
        <Button
          icon={<CameraOutlined />}
          title="用摄像头扫腕带"
          aria-label="用摄像头扫腕带"
          aria-pressed={camera}
          onClick={() => setCamera(!camera)}
          disabled={disabled}
        />
      </Space.Compact>
      {camera && (
        <Suspense fallback={null}>
          <Camera onCode={code => void ask(code)} onClose={() => setCamera(false)} />
        </Suspense>
      )}
      {said !== null && (
        <div role="status" className="faint">
          {said}
        </div>
      )}
    </>
  )
}

const lookOf = (kind: string): Customisation => ({
  of: kind,
  inputs: { patient_no: props => <PatientInput {...props} kind={kind} /> },
})

export const bedsideLooks: readonly Customisation[] = ['departmentUse', 'surgeryUse'].map(lookOf)
