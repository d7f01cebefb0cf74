import { CameraOutlined, ScanOutlined } from '@ant-design/icons'
import { Button, Input, Space } from 'antd'
import { lazy, Suspense, useId, useState } from 'react'
import css from '#modules/hospital/his/bedside/bedside.module.css'
import type { Customisation } from '#web/engine/customisation.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import type { InputProps, Row } from '#web/fields/field-renderer.ts'

const Camera = lazy(() => import('#web/scan/Camera.tsx'))

type Choice = { readonly label: string; readonly fields: Row }
type Answer = {
  readonly from: 'his' | 'kept' | 'nowhere'
  readonly said: string | null
  readonly fields: Row
  /** Several stays or operations of the patient: the nurse chooses one. */
  readonly choices: readonly Choice[]
}

/**
 * The patient of a use: a scan of the wristband, or a number with Enter, fills in the patient's data from the HIS.
 * Typed values stay if the HIS does not answer.
 */
function PatientInput({ kind, value, onChange, id, disabled, invalid }: InputProps & { readonly kind: string }) {
  const [said, setSaid] = useState<string | null>(null)
  const [choices, setChoices] = useState<readonly Choice[]>([])
  const [isAsking, setAsking] = useState(false)
  const [camera, setCamera] = useState(false)
  const typed = typeof value === 'string' ? value : ''
  const fill = (fields: Row, scanned: unknown) => {
    const { patient_no = scanned, ...also } = fields
    onChange(patient_no, also)
  }
  const ask = async (scanned: string) => {
    const code = scanned.trim()
    if (code === '' || isAsking) return
    setCamera(false)
    setAsking(true)
    try {
      const { info } = await post<Answer>('/v1/business/his/bedside', { kind, code })
      setSaid(info.said)
      setChoices(info.choices)
      if (Object.keys(info.fields).length > 0) fill(info.fields, code)
    } catch (error) {
      setSaid(sentenceOf(error))
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <Space.Compact block className={css.scan!}>
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
      {choices.length > 0 && (
        <Choices
          choices={choices}
          onChoose={fields => {
            setChoices([])
            fill(fields, typed)
          }}
        />
      )}
      {said !== null && (
        <div role="status" className="faint">
          {said}
        </div>
      )}
    </>
  )
}

type ChoicesProps = { readonly choices: readonly Choice[]; readonly onChoose: (fields: Row) => void }

/** The stays and operations of the patient, each as large as a gloved finger. */
function Choices({ choices, onChoose }: ChoicesProps) {
  const title = useId()
  return (
    <fieldset className={css.choices} aria-labelledby={title}>
      <legend id={title}>该患者有{choices.length}个在院就诊或手术，请选择本次使用属于哪一个</legend>
      {choices.map(({ label, fields }) => (
        <Button key={label} className={css.choice!} onClick={() => onChoose(fields)}>
          {label}
        </Button>
      ))}
    </fieldset>
  )
}

const lookOf = (kind: string): Customisation => ({
  of: kind,
  inputs: { patient_no: props => <PatientInput {...props} kind={kind} /> },
})

export const bedsideLooks: readonly Customisation[] = ['departmentUse', 'surgeryUse', 'requisition'].map(lookOf)
