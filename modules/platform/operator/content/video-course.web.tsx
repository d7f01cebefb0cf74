import { lazy, Suspense } from 'react'
import type { Customisation } from '#web/engine/customisation.ts'
import { loadChunk } from '#web/engine/http/load-chunk.ts'
import type { Row } from '#web/fields/field-renderer.ts'

const CourseFilm = lazy(() =>
  loadChunk(async () => ({ default: (await import('#web/help/CourseFilm.tsx')).CourseFilm })),
)

/** The course video, below its description. */
const Player = ({ info }: { readonly info: Row }) => (
  <Suspense>
    <CourseFilm course={info} />
  </Suspense>
)

export const videoCourseLook: Customisation = { of: 'videoCourse', panels: [Player] }
