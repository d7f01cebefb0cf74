import type { Customisation } from '#web/engine/customise.ts'
import { post } from '#web/engine/request.ts'
import { codesOf } from '#web/fields/code-list.ts'
import type { Row } from '#web/fields/face.ts'

/** The course itself: its picture moves here, and the first play of the day is counted. */
function Player({ info }: { readonly info: Row }) {
  const [file] = codesOf(info.video)
  const [cover] = codesOf(info.cover)
  if (file === undefined) return null
  return (
    <video
      controls
      preload="metadata"
      src={`/file/${file}`}
      aria-label={`播放 ${String(info.title ?? '')}`}
      style={{ width: '100%', borderRadius: 6, marginTop: 12 }}
      {...(cover === undefined ? {} : { poster: `/file/${cover}` })}
      onPlay={() => void post('/v1/business/videoCourse/watch', { sn: info.video_course_sn }).catch(() => undefined)}
    >
      <track kind="captions" />
    </video>
  )
}

export const videoCourseLook: Customisation = { of: 'videoCourse', panels: [Player] }
