import { parseInteger } from '#kernel/values/integer.ts'
import { LikeOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useRef, useState } from 'react'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import { codesOf } from '#web/fields/parse-codes.ts'
import type { Row } from '#web/fields/field-renderer.ts'

/** Seconds between reports of the playing position. */
const NOTIFY_SECONDS = 10
/** This close to its end a video counts as watched, and restarts from the beginning. */
const END_SECONDS = 5

/** A course's video: it resumes where this user stopped, and the first play of the day is counted. */
export function CourseFilm({ course }: { readonly course: Row }) {
  const notified = useRef(0)
  const [file] = codesOf(course.video)
  const [cover] = codesOf(course.cover)
  if (file === undefined) return null
  const notify = (film: HTMLVideoElement) => {
    const at = film.duration - film.currentTime < END_SECONDS ? 0 : Math.floor(film.currentTime)
    notified.current = film.currentTime
    void post('/v1/business/videoCourse/watch', { sn: course.video_course_sn, position: at }).catch(() => undefined)
  }
  return (
    <>
      <video
        controls
        preload="metadata"
        src={`/file/${file}`}
        aria-label={`播放 ${String(course.title ?? '')}`}
        style={{ width: '100%', borderRadius: 6, marginTop: 12 }}
        {...(cover === undefined ? {} : { poster: `/file/${cover}` })}
        onLoadedMetadata={event => {
          const film = event.currentTarget
          const place = parseInteger(course.position ?? 0)
          if (place > 0 && place < film.duration) film.currentTime = place
        }}
        onPlay={event => notify(event.currentTarget)}
        onPause={event => notify(event.currentTarget)}
        onTimeUpdate={event => {
          if (Math.abs(event.currentTarget.currentTime - notified.current) >= NOTIFY_SECONDS)
            notify(event.currentTarget)
        }}
      >
        <track kind="captions" />
      </video>
      <Like course={course} />
    </>
  )
}

/** 点赞: once per user, undone by a second click. */
function Like({ course }: { readonly course: Row }) {
  const { message } = App.useApp()
  const [now, setNow] = useState({ liked: course.liked === true, count: parseInteger(course.like_count ?? 0) })
  const toggle = async () => {
    try {
      const { info } = await post<{ liked: boolean; like_count: number }>('/v1/business/videoCourse/like', {
        sn: course.video_course_sn,
      })
      setNow({ liked: info.liked, count: info.like_count })
    } catch (thrown) {
      if (!isSilent(thrown)) void message.error(sentenceOf(thrown))
    }
  }
  return (
    <Button
      size="small"
      style={{ marginTop: 8 }}
      type={now.liked ? 'primary' : 'default'}
      icon={<LikeOutlined />}
      aria-pressed={now.liked}
      onClick={() => void toggle()}
    >
      {now.liked ? '已赞' : '点赞'} {now.count}
    </Button>
  )
}
