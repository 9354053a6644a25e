// Simplified characters and their traditional forms: the model's text is in traditional characters,
// so most simplified ones are not in its vocabulary.

/** Simplified and traditional forms in turn; each traditional one is in the vocabulary. */
const PAIRS =
  '风風无無长長来來时時为爲飞飛万萬归歸开開见見马馬声聲龙龍还還将將树樹门門远遠乐樂黄黃气氣阳陽复復宫宮烟煙汉漢东東叶葉台臺谁誰楼樓处處别別临臨尽盡凤鳳华華闻聞鸟鳥' +
  '从從红紅灵靈与與边邊独獨尘塵应應关關绿綠离離满滿国國礼禮圣聖动動断斷岁歲轻輕头頭鸣鳴书書犹猶难難连連罗羅转轉当當兰蘭发發旧舊阴陰遥遙双雙随隨节節车車怀懷间間惊驚' +
  '终終岂豈欢歡几幾绝絕陈陳肃肅乡鄉苍蒼晓曉结結极極横橫泪淚两兩载載宝寶对對军軍愿願岩巖传傳顾顧荐薦骑騎诚誠雾霧丝絲穷窮镜鏡群羣兹茲怜憐阁閣阙闕园園听聽锦錦问問杨楊' +
  '轩軒兴興虚虛梦夢纷紛颜顏带帶会會绮綺过過条條摇搖变變寻尋战戰图圖经經静靜须須鱼魚赏賞画畫伤傷萧蕭飘飄献獻盖蓋鹤鶴贵貴悬懸荣榮扬揚胜勝识識乱亂宁寧忆憶调調亲親闲閑' +
  '虽雖饮飲参參莲蓮辞辭鸿鴻吴吳爱愛举舉栖棲辉輝叹歎备備倾傾残殘桥橋泽澤营營觉覺轮輪银銀隐隱儿兒庆慶瑶瑤观觀迟遲陇隴驾駕仪儀罢罷劳勞严嚴报報帐帳凉涼贤賢妆妝积積语語' +
  '岭嶺齐齊谢謝乌烏异異辇輦启啓学學争爭衔銜鸾鸞肠腸属屬尔爾寿壽妇婦数數负負丽麗户戶细細驱驅广廣响響暂暫绕繞娇嬌没沒鸡雞运運着著张張虏虜钟鐘闺閨莺鶯丛叢壮壯庙廟阶階' +
  '忧憂盘盤称稱赠贈驻駐灭滅迹跡径徑论論驰馳坛壇丰豐烛燭义義荡蕩遗遺馆館郁鬱济濟宾賓险險业業机機艳豔圆圓帘簾侧側晖暉渐漸绣繡实實层層涧澗缘緣师師历歷环環毕畢鸳鴛孙孫' +
  '舆輿牵牽觞觴讵詎鬓鬢尧堯箫簫卧臥达達网網销銷阵陣尝嘗词詞屡屢杀殺况況浅淺琼瓊咏詠铜銅际際团團床牀萦縈邻鄰内內宠寵弹彈抚撫诗詩闭閉杂雜凭憑拥擁携攜旷曠灯燈笼籠纵縱' +
  '织織苏蘇壶壺昼晝众衆规規访訪钱錢沾霑鸯鴦场場戏戲辽遼弃棄洁潔潜潛托託谓謂贞貞贱賤挥揮窥窺县縣单單怅悵资資赋賦写寫说說质質违違类類伫佇态態笔筆锡錫凫鳧龟龜沧滄猎獵' +
  '苹蘋许許跸蹕钩鉤频頻势勢厌厭击擊纪紀维維纤纖进進养養鳞鱗区區娱娛筑築总總试試赐賜迁遷骄驕围圍寝寢彻徹恒恆净淨兽獸缨纓药藥驭馭点點龄齡峡峽恶惡种種竞競绪緒霭靄腾騰' +
  '侠俠币幣剑劒惭慙疏疎';

/** Characters of the poems that are the simplified form of another one as well. */
const BOTH = '云雲游遊里裏余餘后後于於回迴干乾彩綵征徵斗鬬';

function byFirst(pairs: string): ReadonlyMap<string, string> {
  const characters = [...pairs];
  return new Map(
    characters.flatMap((first, i) => (i % 2 === 0 ? [[first, characters[i + 1] ?? '']] : [])),
  );
}

const TRADITIONAL = byFirst(PAIRS);
const OTHER = byFirst(BOTH);

/** The traditional form of a character that is not in the vocabulary itself. */
export const traditionalOf = (character: string): string | undefined => TRADITIONAL.get(character);

/** The traditional character that a simplified one may stand for. */
export const otherOf = (character: string): string | undefined => OTHER.get(character);

/**
 * The text with simplified characters replaced where only the traditional form is in the
 * vocabulary.
 */
export function inTraditional(text: string): string {
  return [...text].map((character) => TRADITIONAL.get(character) ?? character).join('');
}

export const MAPPED: readonly string[] = [...TRADITIONAL.keys()];
export const DOUBLE: readonly string[] = [...OTHER.keys()];
