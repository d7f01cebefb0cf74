import { describe, expect, it } from 'vitest'
import {
  answerProblem,
  phoneProblem,
  type Registration,
  registrationProblem,
  registrationSmsProblem,
  resetCodeProblem,
  resetPasswordProblem,
  smsCodeProblem,
} from '#web/sign-in/checks.ts'
import { restoredCount } from '#web/sign-in/resend.ts'

describe('sign-in by SMS', () => {
  it('requires a phone of eleven digits, in the words of the page and of the shell', () => {
    expect(phoneProblem('  ', 'page')).toBe('请填写手机号')
    expect(phoneProblem('1380000000', 'page')).toBe('请填写11位数的手机号')
    expect(phoneProblem('138000000000', 'shell')).toBe('请填写由11位数字组成的手机号')
    expect(phoneProblem(' 23800000000 ', 'page')).toBeNull()
  })
  it('requires a code of digits, in the words of the page and of the shell', () => {
    expect(smsCodeProblem('', 'page')).toBe('请填写短信验证码')
    expect(smsCodeProblem('12a456', 'page')).toBe('请填写由数字组成的短信验证码')
    expect(smsCodeProblem('12a456', 'shell')).toBe('请填写收到的数字短信验证码')
    expect(smsCodeProblem(' 123456 ', 'shell')).toBeNull()
  })
  it.each(['', '   ', 'abcdef'])('rejects a captcha answer like “%s”', answer => {
    expect(answerProblem(answer)).toBe('请填写正确格式的图形验证码')
  })
  it('accepts a captcha answer of one to five characters, trimmed', () => {
    expect([answerProblem(' a '), answerProblem('ab3de')]).toEqual([null, null])
  })
})

const good: Registration = {
  system_type: 1,
  name: '仁和医院',
  alias: '',
  social_credit_code: '91310000MA1FL0XH1A',
  address: '和平路1号',
  registrant: '王宁',
  registrant_phone: '13800000000',
  answer: 'ab12',
  verifyCode: '123456',
  registrant_email: '',
}

describe('registration', () => {
  it('requires the picture, then the phone, before the SMS', () => {
    expect(registrationSmsProblem({ answer: ' ', registrant_phone: '' })?.sentence).toBe('请先填写图形验证码')
    expect(registrationSmsProblem({ answer: 'abcdef', registrant_phone: '' })?.sentence).toBe('图形验证码格式错误')
    expect(registrationSmsProblem({ answer: 'ab', registrant_phone: ' ' })?.sentence).toBe('请输入手机号码')
    expect(registrationSmsProblem({ answer: 'ab', registrant_phone: '1' })).toBeNull()
  })

  /** Every check in order: the wrong input and its message; each form is valid for all earlier checks. */
  const order: readonly (readonly [Partial<Registration>, string])[] = [
    [{ name: ' ', social_credit_code: '' }, '请输入医院名称'],
    [{ name: '', system_type: 2 }, '请输入经销商名称'],
    [{ name: '', system_type: 3 }, '请输入厂商名称'],
    [{ name: '仁和<医院', social_credit_code: '' }, '医院名称中请不要输入特殊字符'],
    [{ name: '仁和*', system_type: 2 }, '经销商名称中请不要输入特殊字符'],
    [{ social_credit_code: '', address: '' }, '请输入统一社会信用代码'],
    [{ social_credit_code: '9131', address: '' }, '统一社会信用代码有效长度是18位'],
    [{ social_credit_code: '91310000MA1FL0XH1-', address: '' }, '统一社会信用代码格式为字母或数字组合的18位'],
    [{ address: ' ', registrant: '' }, '请输入地址'],
    [{ registrant: '', registrant_phone: '' }, '请输入联系人'],
    [{ registrant_phone: '', verifyCode: '' }, '请输入手机号码'],
    [{ registrant_phone: '138000000001', verifyCode: '' }, '手机号码有效长度是11位'],
    [{ registrant_phone: '23800000000', verifyCode: '' }, '手机号码格式输入有误'],
    [{ verifyCode: '', registrant_email: 'x' }, '请填写短信验证码'],
    [{ verifyCode: '12ab', registrant_email: 'x' }, '请填写由数字组成的短信验证码'],
    [{ registrant_email: 'wang@' }, '邮箱格式输入有误'],
  ]
  it.each(order)('%o is answered with “%s”', (change, sentence) => {
    expect(registrationProblem({ ...good, ...change })?.sentence).toBe(sentence)
  })
  it('accepts a valid form, with and without an email address', () => {
    expect(registrationProblem(good)).toBeNull()
    expect(registrationProblem({ ...good, registrant_email: 'wang@renhe.example.cn' })).toBeNull()
  })
})

describe('password reset', () => {
  it('requires the phone, then its six-digit code', () => {
    expect(resetCodeProblem('', '')?.sentence).toBe('请输入手机号码')
    expect(resetCodeProblem('138000000001', '')?.sentence).toBe('手机号码有效长度是11位')
    expect(resetCodeProblem('23800000000', '')?.sentence).toBe('手机号码格式输入有误')
    expect(resetCodeProblem('13800000000', ' ')?.sentence).toBe('请输入验证码')
    expect(resetCodeProblem('13800000000', '12345')?.sentence).toBe('请输入6位数字验证码')
    expect(resetCodeProblem('13800000000', '123456')).toBeNull()
  })
  it('requires the password twice, identical', () => {
    expect(resetPasswordProblem(' ', '')?.sentence).toBe('密码不能为空')
    expect(resetPasswordProblem('a1', '')?.sentence).toBe('确认密码不能为空')
    expect(resetPasswordProblem('a1', 'a2')?.sentence).toBe('两次输入密码不相同，请重新输入')
    expect(resetPasswordProblem('a1', 'a1')).toBeNull()
  })
})

describe('the stored countdown', () => {
  const kept = (left: number, at = 0) => JSON.stringify({ left, at })
  it('continues from where it was, less the elapsed time', () => {
    expect(restoredCount(kept(40), 5_000)).toBe(35)
  })
  it('is dropped at three seconds or less, when long past, and when it is no number', () => {
    expect([restoredCount(kept(3), 0), restoredCount(kept(8), 5_000), restoredCount(kept(40), 90_000)]).toEqual([
      0, 0, 0,
    ])
    expect([restoredCount(null, 0), restoredCount('x', 0), restoredCount(kept(9_999), 0)]).toEqual([0, 0, 0])
  })
})
