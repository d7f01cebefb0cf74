import { type FreshPicture, useFreshPicture } from '#web/sign-in/captcha/fresh-picture.ts'
import css from '#web/sign-in/captcha/Captcha.module.css'

type Picture = { readonly id: string; readonly img: string }

/** An image captcha's picture; each is valid for one answer. */
export const useCodePicture = (): FreshPicture<Picture> => useFreshPicture<Picture>('/v1/captcha/code')

/** The picture itself: a click loads another. */
export function CodePicture({ picture, failure, reload }: FreshPicture<Picture>) {
  return (
    <button
      type="button"
      className={css.picture}
      onClick={reload}
      title="看不清？点击换一张"
      aria-label="换一张图形验证码"
    >
      {picture !== null ? <img src={picture.img} alt="图形验证码" /> : <span>{failure ?? '加载中…'}</span>}
    </button>
  )
}
