// The chapter map, as an author writes it.

export interface ChapterLesson {
  id: string;
  label: string;
  topic: string;
  question: string;
  minutes: number;
  needs: string[];
  /** Beside the main road: no later lesson needs it. */
  branch?: boolean;
}

export interface ChapterSource {
  course: string;
  title: string;
  subtitle: string;
  lessons: ChapterLesson[];
}

/** What `chapter.ts` of a chapter exports. */
export function defineChapter(chapter: ChapterSource): ChapterSource {
  return chapter;
}
