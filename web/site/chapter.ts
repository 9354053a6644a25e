// The chapter map, as an author writes it.

export interface ChapterLesson {
  id: string;
  label: string;
  topic: string;
  question: string;
  minutes: number;
  needs: string[];
  /** A branch lesson: no later lesson needs it. */
  branch?: boolean;
}

export interface ChapterSource {
  course: string;
  title: string;
  subtitle: string;
  lessons: ChapterLesson[];
}

/** Types the export of a chapter's `chapter.ts`. */
export function defineChapter(chapter: ChapterSource): ChapterSource {
  return chapter;
}
