import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { CourseFilm } from '#web/help/CourseFilm.tsx'

/** The course video, below its description. */
const Player = ({ info }: { readonly info: Row }) => <CourseFilm course={info} />

export const videoCourseLook: Customisation = { of: 'videoCourse', panels: [Player] }
