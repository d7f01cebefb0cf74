import type { FastifyInstance } from 'fastify'
import { type CaptchaService, newCode, newPuzzle } from '#server/identity/captcha/captcha.ts'
import type { Asked } from '#server/api/request/form.ts'
import { done } from '#server/http/envelope.ts'

/** Both kinds of captcha. Where an id and an answer are asked for, either kind is accepted. */
export function addCaptcha(app: FastifyInstance, service: CaptchaService): void {
  const open = { config: { access: 'open' } } as const
  app.get('/v1/captcha/code', open, async request => done({ info: await newCode(service, request.ip) }))
  app.get('/v1/captcha/puzzle', open, async request => done({ info: await newPuzzle(service, request.ip) }))
}

/** Maximum length of a drag answer: its track has a step every few milliseconds. */
export const longestAnswer = 60_000
/** A drag is JSON; a typed answer has at most five characters. */
const isDrag = (answer: string) => answer.startsWith('{')
export const isAnswerFormed = (answer: string) => isDrag(answer) || (answer.length >= 1 && answer.length <= 5)

/** Messages of the sign-in page and the reset for an invalid answer. */
export const askedOfCaptcha = {
  id: [[id => id !== '', '请先获取图形验证码']],
  answer: [[isAnswerFormed, '请填写正确格式的图形验证码']],
} as const satisfies Record<string, Asked>
