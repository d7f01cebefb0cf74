import { PlayCircleOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useState } from 'react'
import { get } from '#web/engine/http/request.ts'
import { codesOf } from '#web/fields/parse-codes.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { CourseFilm } from '#web/help/CourseFilm.tsx'

const FRESH_MS = 5 * 60_000
const WIDE = 720

/** Shown beside the name of a page that a published course covers; opens the course. */
export function CourseMark({ route, className }: { readonly route: string; readonly className: string | undefined }) {
  const [open, setOpen] = useState(false)
  const asked = useQuery({
    queryKey: ['videoCourse', 'marks'],
    staleTime: FRESH_MS,
    retry: false,
    queryFn: async ({ signal }) =>
      (await get<unknown, Row>('/v1/business/videoCourse/list', { state: 'published', pageSize: 500 }, { signal }))
        .list,
  })
  const courses = asked.data?.filter(course => course.route === route) ?? []
  if (courses.length === 0) return null
  return (
    <>
      <button type="button" className={className} aria-label="本页教程" title="本页教程" onClick={() => setOpen(true)}>
        <PlayCircleOutlined />
      </button>
      <Drawer open={open} size={WIDE} title="本页教程" destroyOnHidden onClose={() => setOpen(false)}>
        {courses.map(course => (
          <article key={String(course.video_course_sn)} style={{ marginBottom: 28 }}>
            <h2 style={{ fontSize: 16 }}>{String(course.title)}</h2>
            {course.body ? <p style={{ whiteSpace: 'pre-wrap' }}>{String(course.body)}</p> : null}
            <CourseFilm course={course} />
            {codesOf(course.manual).map((file, at) => (
              <a key={file} className="link" href={`/file/${file}`} download>
                下载手册{at + 1}
              </a>
            ))}
          </article>
        ))}
      </Drawer>
    </>
  )
}
