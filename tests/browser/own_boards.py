"""Boards with names in many scripts: streets, squares and stations of cities, on 4 to 200 squares."""

from __future__ import annotations

from typing import Any

NAMES = {
    "german": """
        Schlossallee; Badstraße; Turmstraße; Chausseestraße; Elisenstraße; Poststraße;
        Seestraße; Hafenstraße; Neue Schönhauser Straße; Alte Schönhauser Straße;
        Wiener Straße; Berliner Straße; Theaterstraße; Museumstraße; Opernplatz;
        Lessingstraße; Schillerstraße; Goethestraße; Rathausplatz; Hauptstraße;
        Bahnhofstraße; Parkstraße; Hausvogteiplatz; Gendarmenmarkt; Kurfürstendamm;
        Karl-Marx-Allee; Unter den Linden; Warschauer Brücke; Wittenbergplatz;
        Friedrichstraße; Tempelhofer Ufer; Landsberger Allee; Jungfernstieg;
        Mönckebergstraße; Große Bleichen; Rödingsmarkt; Marienplatz; Sendlinger Tor;
        Odeonsplatz; Viktualienmarkt
    """,
    "russian": """
        Ул. Арбат; Ул. Тверская; Ул. Варварка; Ул. Полянка; Ул. Ильинка; Ул. Сретенка;
        Ул. Якиманка; Ул. Большая Ордынка; Ул. Большая Полянка; Ул. Малая Бронная;
        Ул. Большая Бронная; Площадь Маяковского; Театральная площадь;
        Красная площадь; Манежная площадь; Рублёвское шоссе; Варшавское шоссе;
        Ленинградский проспект; Ленинский проспект; Кутузовский проспект;
        Гоголевский бульвар; Тверской бульвар; Чистопрудный бульвар;
        Смоленская площадь; Кузнецкий мост; Казанский вокзал; Курский вокзал;
        Рижский вокзал; Нагатинская улица; Огарёва улица; Мясницкая улица;
        Вознесенский переулок; Столешников переулок; Камергерский переулок;
        Пушкинская набережная; Софийская набережная; Воробьёвы горы; Сокольники;
        Новослободская; Электрозаводская
    """,
    "chinese": """
        王府井大街; 长安街; 天安门广场; 前门大街; 西单北大街; 东直门内大街; 南锣鼓巷; 琉璃厂;
        鼓楼东大街; 平安里; 北京南站; 北京西站; 上海虹桥站; 南京东路; 南京西路; 淮海中路; 人民广场;
        外滩; 陆家嘴; 豫园; 徐家汇; 静安寺; 中山公园; 复兴公园; 世纪大道; 四川北路; 衡山路; 武康路;
        新天地; 田子坊; 虹口足球场; 上海图书馆; 中关村; 五道口; 颐和园; 圆明园; 香山公园; 什刹海;
        国家图书馆; 奥林匹克公园
    """,
    "arabic": """
        شارع التحرير; شارع طلعت حرب; شارع قصر النيل; شارع رمسيس; ميدان التحرير;
        ميدان العتبة; خان الخليلي; شارع المعز; كورنيش النيل; جسر قصر النيل; محطة مصر;
        محطة الجيزة; باب زويلة; باب الفتوح; شارع الأزهر; حديقة الأزهر; الزمالك;
        المهندسين; مصر الجديدة; مدينة نصر; شارع الهرم; جامعة القاهرة; سيدي جابر;
        المنشية
    """,
    "hindi": """
        चाँदनी चौक; कनॉट प्लेस; राजपथ; जनपथ; करोल बाग; लाजपत नगर; सरोजिनी नगर;
        हौज़ ख़ास; कश्मीरी गेट; अजमेरी गेट; इंडिया गेट; लाल क़िला; क़ुतुब मीनार;
        नई दिल्ली रेलवे स्टेशन; पुरानी दिल्ली रेलवे स्टेशन; हज़रत निज़ामुद्दीन;
        मरीन ड्राइव; जुहू बीच; दादर; छत्रपति शिवाजी टर्मिनस; गेटवे ऑफ़ इंडिया;
        बांद्रा; अंधेरी; हावड़ा पुल
    """,
    "thai": """
        ถนนสุขุมวิท; ถนนสีลม; ถนนสาทร; ถนนพระรามที่ ๔; ถนนราชดำเนินกลาง; ถนนเยาวราช;
        ถนนข้าวสาร; ถนนเจริญกรุง; สยามสแควร์; อนุสาวรีย์ชัยสมรภูมิ; สะพานพระราม ๘;
        สะพานพุทธ; สถานีหัวลำโพง; สถานีบางซื่อ; วัดพระแก้ว; วัดอรุณ; วัดโพธิ์;
        ตลาดนัดจตุจักร; สวนลุมพินี; ท่าช้าง; บางลำพู; เอกมัย; ทองหล่อ; สนามหลวง
    """,
}
"""Public names by language, separated by semicolons; as many of each as a board has."""

_COLOURS = "#ed1b24 #1a2c6b #fef200 #0c3b1e #f7941d #aae0fa #000000 #d93a96 #8b4513 #6f6f6f"


def names_of(board: str) -> list[str]:
    """The names of a board: a language, or a number of squares, which has names of all languages."""
    if board in NAMES:
        return [" ".join(name.split()) for name in NAMES[board].split(";")]
    mixed = [name for language in NAMES for name in names_of(language)]
    mixed += [f"Lange Straße {number}" for number in range(1, 9)]
    return mixed[: int(board)]


def edition(board: str) -> dict[str, Any]:
    """An edition with these names: a start, a prison, and streets in groups of three, light and dark."""
    names = names_of(board)
    kinds: list[dict[str, Any]] = [{"kind": "start", "amount": 200}]
    for at in range(1, len(names)):
        group = (at - 1) // 3
        kinds.append(
            {"kind": "jail"}
            if at == len(names) // 4
            else {
                "kind": "street",
                "group": f"g{group}",
                "price": 60 + 2 * at,
                "mortgage": 30 + at,
                "building_price": 50,
                "rents": [at, 5 * at, 15 * at, 45 * at, 80 * at, 125 * at],
            }
        )
    squares = [
        {"id": f"s{at}", "name": name, **kind} for at, (name, kind) in enumerate(zip(names, kinds, strict=True))
    ]
    colours = _COLOURS.split()
    used = list(dict.fromkeys(square["group"] for square in squares if "group" in square))
    two = ("house", "houses", "hotel", "hotels", "jail_pass", "pot", "money")
    return {
        "title": f"A board of {len(names)} squares",
        "options": {"throw_for_order": False, "tokens_chosen": False},
        "named": {"symbol": "€", "tokens": [], **{name: {"en": name, "fr": name} for name in two}},
        "groups": [
            {"id": group, "name": f"Group {at}", "colour": colours[at % len(colours)]}
            for at, group in enumerate(used)
        ],
        "squares": squares,
        "decks": [],
        "cards": [],
    }
