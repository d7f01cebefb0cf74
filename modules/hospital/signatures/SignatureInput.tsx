import { Button, Input, type InputRef, Segmented } from 'antd'
import { useRef, useState } from 'react'
import type { Stroke } from '#kernel/values/strokes.ts'
import { type SignatureMethod, signatureMethods } from '#modules/hospital/signatures/signature-field.ts'
import { SignaturePad } from '#modules/hospital/signatures/SignaturePad.tsx'
import css from '#modules/hospital/signatures/signatures.module.css'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import { hashPassword } from '#web/engine/password-hash.ts'
import { DrawnSignature } from '#web/fields/DrawnSignature.tsx'
import type { InputProps } from '#web/fields/field-renderer.ts'

type Body = Readonly<Record<string, string>>
type Captured = { readonly name: string | null; readonly strokes: readonly Stroke[] | null }
type Capture = (body: Body, strokes?: readonly Stroke[]) => Promise<void>
const ways = Object.entries(signatureMethods).map(([value, label]) => ({ value: value as SignatureMethod, label }))

/** The signature input for documents of a kind. */
export const signatureInputOf = (kind: string) => (props: InputProps) => <SignatureInput {...props} kind={kind} />

/**
 * Asks for a signature: drawn, by badge and PIN or by password. Its value is the key under which the server keeps it
 * for the document of the row.
 */
function SignatureInput({ kind, row, onChange, id }: InputProps & { readonly kind: string }) {
  const [way, setWay] = useState<SignatureMethod>('drawn')
  const [given, setGiven] = useState<Captured | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const begin = () => {
    setGiven(null)
    setRefusal(null)
    onChange(null)
  }
  const capture: Capture = async (body, strokes) => {
    setBusy(true)
    setRefusal(null)
    try {
      const { info } = await post<{ signature_sn: string; signer_name: string | null }>(
        '/v1/business/signature/capture',
        { kind, sn: String(row.sn ?? ''), ...body },
      )
      setGiven({ name: info.signer_name, strokes: strokes ?? null })
      onChange(info.signature_sn)
    } catch (thrown) {
      setRefusal(sentenceOf(thrown))
    } finally {
      setBusy(false)
    }
  }
  if (given !== null)
    return (
      <div className={css.given} id={id}>
        {given.strokes === null ? (
          <strong>{given.name}</strong>
        ) : (
          <DrawnSignature strokes={given.strokes} name="签名人" />
        )}
        <span className="quiet">{signatureMethods[way]}</span>
        <Button onClick={begin}>重新签名</Button>
      </div>
    )
  return (
    <div className={css.ways} id={id}>
      <Segmented
        block
        aria-label="签名方式"
        options={ways}
        value={way}
        onChange={next => {
          setWay(next)
          setRefusal(null)
        }}
      />
      {way === 'drawn' && <ByHand capture={capture} busy={busy} />}
      {way === 'badge' && <ByBadge capture={capture} busy={busy} />}
      {way === 'password' && <ByPassword capture={capture} busy={busy} />}
      {refusal !== null && (
        <span role="alert" style={{ color: 'var(--danger)' }}>
          {refusal}
        </span>
      )}
    </div>
  )
}

type Way = { readonly capture: Capture; readonly busy: boolean }

function ByHand({ capture, busy }: Way) {
  const [strokes, setStrokes] = useState<readonly Stroke[]>([])
  const [proof, setProof] = useState<Proof>(NO_PROOF)
  return (
    <>
      <SignaturePad strokes={strokes} onDraw={setStrokes} />
      <ProofInputs proof={proof} onChange={setProof} hint="医护人员本人未登录时，请同时填写工牌号和签名PIN" />
      <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end' }}>
        <Button disabled={strokes.length === 0} onClick={() => setStrokes([])}>
          清除
        </Button>
        <Button
          type="primary"
          loading={busy}
          disabled={strokes.length === 0}
          onClick={() => void capture({ method: 'drawn', strokes: JSON.stringify(strokes), ...given(proof) }, strokes)}
        >
          确认签名
        </Button>
      </div>
    </>
  )
}

type Proof = { readonly badge: string; readonly pin: string }
const NO_PROOF: Proof = { badge: '', pin: '' }
const given = ({ badge, pin }: Proof): Partial<Proof> => (badge === '' ? {} : { badge, pin })

type ProofProps = {
  readonly proof: Proof
  readonly onChange: (proof: Proof) => void
  readonly hint?: string
  readonly autoFocus?: boolean
  readonly onEnter?: () => void
}

/** The signer's badge number, and the PIN that proves his identity. A scanner types the number and Enter. */
function ProofInputs({ proof, onChange, hint, autoFocus = false, onEnter }: ProofProps) {
  const pin = useRef<InputRef>(null)
  return (
    <>
      {hint !== undefined && <span className="quiet">{hint}</span>}
      <Input
        autoFocus={autoFocus}
        aria-label="工牌号"
        placeholder="请扫描工牌"
        autoComplete="off"
        value={proof.badge}
        onChange={event => onChange({ ...proof, badge: event.target.value.trim() })}
        onPressEnter={() => pin.current?.focus()}
      />
      <Input.Password
        ref={pin}
        aria-label="签名PIN"
        placeholder="签名PIN"
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={proof.pin}
        onChange={event => onChange({ ...proof, pin: event.target.value })}
        onPressEnter={() => onEnter?.()}
      />
    </>
  )
}

function ByBadge({ capture, busy }: Way) {
  const [proof, setProof] = useState<Proof>(NO_PROOF)
  const isWhole = proof.badge !== '' && proof.pin !== ''
  const confirm = () => {
    if (!isWhole) return
    setProof({ ...proof, pin: '' })
    void capture({ method: 'badge', ...proof })
  }
  return (
    <>
      <ProofInputs autoFocus proof={proof} onChange={setProof} onEnter={confirm} />
      <Button type="primary" loading={busy} disabled={!isWhole} onClick={confirm}>
        确认签名
      </Button>
    </>
  )
}

function ByPassword({ capture, busy }: Way) {
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const confirm = () => void capture({ method: 'password', userName, password: hashPassword(password) })
  return (
    <>
      <Input
        aria-label="登录账号"
        placeholder="签名人的登录账号"
        autoComplete="off"
        value={userName}
        onChange={event => setUserName(event.target.value.trim())}
      />
      <Input.Password
        aria-label="登录密码"
        placeholder="登录密码"
        autoComplete="off"
        value={password}
        onChange={event => setPassword(event.target.value)}
        onPressEnter={confirm}
      />
      <Button type="primary" loading={busy} disabled={userName === '' || password === ''} onClick={confirm}>
        确认签名
      </Button>
    </>
  )
}
